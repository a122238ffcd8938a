/** What a person would call the browser behind a User-Agent header. It is for reading only: nothing depends on it. */
import { visible } from "./format.js";

/** The first that fits wins: most browsers also name those they descend from. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"], [/\bOPR\/|\bOpera\b/, "Opera"], [/\bSamsungBrowser\//, "Samsung Internet"], [/\bVivaldi\//, "Vivaldi"], [/\bDuckDuckGo\//, "DuckDuckGo"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"], [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, "Chrome"], [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];
const SYSTEMS = [
  [/\biPhone\b/, "iPhone"], [/\biPad\b/, "iPad"], [/\bAndroid\b/, "Android"], [/\bCrOS\b/, "ChromeOS"], [/\bWindows\b/, "Windows"], [/\bMac OS X\b|\bMacintosh\b/, "macOS"], [/\bLinux\b/, "Linux"],
];
const LONGEST = 40;

/** `{browser, system}`; either is "" where it cannot be told. A program is called by the name it gives itself. */
export function readUserAgent(header) {
  const text = visible(header);
  const browser = nameIn(BROWSERS, text) || (text.startsWith("Mozilla/") ? "" : /^[\w.-]+/.exec(text)?.[0].slice(0, LONGEST) ?? "");
  return { browser, system: nameIn(SYSTEMS, text) };
}

function nameIn(table, text) {
  return table.find(([pattern]) => pattern.test(text))?.[1] ?? "";
}
