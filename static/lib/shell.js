// What every page has: look, keys, clock, zone, forms that go once, the live line, the rail's counts, notices.
import "./clock.js";
import "./keyhelp.js";
import "./keys.js";
import "./look.js";
import "./once.js";
import "./zone.js";
import "./copy.js";
import "./live.js";
import "./notify.js";

document.querySelector(".rail [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
