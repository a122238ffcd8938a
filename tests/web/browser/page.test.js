/**
 * The page in a real browser against a real server. One file, so that one process owns the browser and the model, and
 * the flows run one after the other.
 */
import { after, before } from "node:test";
import { closeWorld, openWorld } from "./support/world.js";

before(openWorld);
after(closeWorld);

const flows = ["message", "solid", "who", "undo", "edit", "way", "places", "resume", "proposals", "edits", "scenarios", "confirmation", "stop", "model-down", "hostile", "event-source", "keyboard", "narrow", "fit", "looks", "admin", "people", "account", "spanish", "accessibility", "views"];
// FLOWS=message,undo runs those only.
const wanted = process.env.FLOWS?.split(",");
for (const flow of flows) if (!wanted || wanted.includes(flow)) await import(`./flows/${flow}.js`);
