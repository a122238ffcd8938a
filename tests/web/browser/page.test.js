/**
 * The page in a real browser against a real server. One file, so that one process owns the browser and the model, and
 * the flows run one after the other: all of them, those of `FLOWS=message,undo`, or every second one (`HALF=0`, `HALF=1`).
 */
import { after, before } from "node:test";
import { closeWorld, openWorld } from "./support/world.js";

before(openWorld);
after(closeWorld);

// What a list of many plans weighs is no part of the first load.
const flows = ["first-load", "message", "solid", "who", "undo", "edit", "way", "places", "documents", "resume", "proposals", "edits", "scenarios", "confirmation", "stop", "model-down", "hostile", "event-source", "keyboard", "narrow", "fit", "looks", "admin", "people", "account", "assistant", "spanish", "accessibility", "views", "paper", "story", "boxes", "guide", "desk", "desk-corrections", "rows"];
const { FLOWS, HALF } = process.env;
const isWanted = (flow, at) => (FLOWS ? FLOWS.split(",").includes(flow) : !HALF || at % 2 === Number(HALF));
for (const flow of flows.filter(isWanted)) await import(`./flows/${flow}.js`);
