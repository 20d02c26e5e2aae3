// Many looked over before they are decided: ticks are counted, A goes to the button, Enter sends.
import "../../lib/dialogs.js";
import { tell } from "../../lib/ticks.js";

tell();
