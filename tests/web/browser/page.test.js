/**
 * The page in a real browser against a real server. One file, so that one process owns the browser and the model, and
 * the flows run one after the other.
 */
import { after, before } from "node:test";
import { closeWorld, openWorld } from "./support/world.js";

before(openWorld);
after(closeWorld);

await import("./flows/message.js");
await import("./flows/resume.js");
await import("./flows/proposals.js");
await import("./flows/edits.js");
await import("./flows/confirmation.js");
await import("./flows/stop.js");
await import("./flows/model-down.js");
await import("./flows/hostile.js");
await import("./flows/event-source.js");
await import("./flows/keyboard.js");
await import("./flows/narrow.js");
await import("./flows/admin.js");
await import("./flows/accessibility.js");
