// What a page without the frame has: the zone is told before the first page that shows a time, forms go once.
import "./look.js";
import "./once.js";
import "./zone.js";
