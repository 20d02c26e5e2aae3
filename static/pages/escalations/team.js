// One team: the rota and its stand-ins, kept true.
import { follow } from "../../lib/live.js";

follow(["policies"], { everyMs: 1000, atOnce: true });
