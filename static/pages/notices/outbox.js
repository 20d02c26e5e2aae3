// The outbox shows how messages get on, without a reload.
import { follow } from "../../lib/live.js";

follow(["outbox"], { everyMs: 1000 });
