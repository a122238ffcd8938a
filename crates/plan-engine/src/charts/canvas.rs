//! A small SVG writer: frame, axes, lines, marks. Coordinates come from the scale, colours from a tone.

use crate::charts::scale::{BOTTOM, HEIGHT, LEFT, RIGHT, Scale, TOP, Tenths, WIDTH, short_dollars};
use std::fmt::Write;

const FONT: &str = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/// Dark colours for those who prefer them; the light ones are in the attributes.
const DARK: &str = "@media (prefers-color-scheme: dark) {\
    .surface { fill: #17201e } .ink { fill: #eaf0ee } .quiet { fill: #a3b2ad }\
    .grid { stroke: #2b3734 } .zero { stroke: #6d7e78 }\
    .main { stroke: #73c8ac } .other { stroke: #e5a27a } .gain { fill: #73c8ac } .loss { fill: #e58a7a }\
    .mark { fill: #f2c14e; stroke: #17201e } .halo { stroke: #17201e } .flag { stroke: #6d7e78 } }";

/// What a shape represents; decides color and dash.
#[derive(Clone, Copy)]
pub(super) enum Tone {
    Main,
    Other,
    Mark,
}

impl Tone {
    const fn stroke(self) -> &'static str {
        match self {
            Self::Main => "class=\"main\" stroke=\"#1d6b57\"",
            // Dashed as well, so that the two lines differ without colour.
            Self::Other => "class=\"other\" stroke=\"#b4552d\" stroke-dasharray=\"7 4\"",
            Self::Mark => "class=\"mark\" fill=\"#c98a0b\" stroke=\"#fbfcfb\"",
        }
    }
}

/// How a label hangs on its point.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    text: &'static str,
    dx: i64,
    dy: i64,
}

impl Anchor {
    /// Before the point and a little above it.
    pub(super) const BEFORE: Self = Self {
        text: "end",
        dx: -10,
        dy: -10,
    };

    /// Centred below, held within the plot at its ends.
    pub(super) const fn below(month: u32) -> Self {
        let (text, dx) = match month {
            0..=15 => ("start", -6),
            45.. => ("end", 6),
            _ => ("middle", 0),
        };
        Self { text, dx, dy: 24 }
    }
}

/// A picture while it is drawn.
pub(super) struct Canvas {
    id: &'static str,
    title: &'static str,
    /// What the horizontal axis counts.
    months: &'static str,
    description: String,
    scale: Scale,
    body: String,
}

impl Canvas {
    pub(super) fn new(id: &'static str, title: &'static str, months: &'static str, scale: Scale) -> Self {
        let mut canvas = Self {
            id,
            title,
            months,
            description: String::new(),
            scale,
            body: String::with_capacity(6_000),
        };
        canvas.axes();
        canvas
    }

    /// The picture in words, for those who do not see it.
    pub(super) fn describe(&mut self, text: &str) {
        text.clone_into(&mut self.description);
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    fn axes(&mut self) {
        for tick in self.scale.ticks() {
            let y = self.scale.y(tick);
            let line = if tick == 0 {
                "class=\"zero\" stroke=\"#8b9994\""
            } else {
                "class=\"grid\" stroke=\"#e0e6e3\""
            };
            self.push(format_args!("<path {line} d=\"M{LEFT} {y}H{RIGHT}\"/>"));
            let (x, y) = (LEFT - 10, y.plus(5));
            let label = short_dollars(tick);
            self.push(format_args!(
                "<text class=\"quiet\" fill=\"#56635f\" x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{label}</text>"
            ));
        }
        for month in [0, 12, 24, 36, 48, 60] {
            let (x, y) = (Scale::x(month), BOTTOM + 20);
            self.push(format_args!(
                "<text class=\"quiet\" fill=\"#56635f\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{month}</text>"
            ));
        }
        let (x, y, months) = (i64::midpoint(LEFT, RIGHT), BOTTOM + 40, self.months);
        self.push(format_args!(
            "<text class=\"quiet\" fill=\"#56635f\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"13\">{months}</text>"
        ));
    }

    /// A line through one value per month, from month 0.
    pub(super) fn line(&mut self, values: &[i64], tone: Tone) {
        self.line_from(0, values, tone);
    }

    /// A line through one value per month, from `first`.
    pub(super) fn line_from(&mut self, first: u32, values: &[i64], tone: Tone) {
        let (path, stroke) = (self.path(first, values), tone.stroke());
        self.push(format_args!(
            "<path {stroke} fill=\"none\" stroke-width=\"2.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"{path}\"/>"
        ));
    }

    /// The area between a line from month 0 and zero, above and below in two colours.
    pub(super) fn area(&mut self, values: &[i64]) {
        let zero = self.scale.y(0);
        let outline = format!("{}V{zero}H{}Z", self.path(0, values), Scale::x(0));
        let (id, middle) = (self.id, zero.0 / 10);
        let halves = [
            ("gain", "#1d6b57", "above", TOP, middle - TOP),
            ("loss", "#b3402e", "below", middle, BOTTOM - middle),
        ];
        for (class, fill, half, y, height) in halves {
            self.push(format_args!(
                "<clipPath id=\"{id}-{half}\"><rect x=\"0\" y=\"{y}\" width=\"{WIDTH}\" height=\"{height}\"/></clipPath>\n\
                 <path class=\"{class}\" fill=\"{fill}\" fill-opacity=\"0.12\" clip-path=\"url(#{id}-{half})\" d=\"{outline}\"/>"
            ));
        }
    }

    fn path(&self, first: u32, values: &[i64]) -> String {
        let mut path = String::with_capacity(values.len() * 12);
        for (month, value) in (first..).zip(values) {
            let command = if month == first { 'M' } else { 'L' };
            let _ = write!(path, "{command}{} {}", Scale::x(month), self.scale.y(*value));
        }
        path
    }

    pub(super) fn point(&mut self, month: u32, cents: i64, tone: Tone) {
        let (x, y, stroke) = (Scale::x(month), self.scale.y(cents), tone.stroke());
        self.push(format_args!(
            "<circle {stroke} stroke-width=\"2\" cx=\"{x}\" cy=\"{y}\" r=\"5.5\"/>"
        ));
    }

    /// A label beside a point, kept within the plot.
    pub(super) fn label(&mut self, month: u32, cents: i64, anchor: Anchor, text: &str) {
        let y = self
            .scale
            .y(cents)
            .plus(anchor.dy)
            .clamp(Tenths::px(TOP + 14), Tenths::px(BOTTOM - 6));
        self.text(Scale::x(month).plus(anchor.dx), y, anchor.text, text);
    }

    /// A hairline through a month with a label at its top.
    pub(super) fn flag(&mut self, month: u32, text: &str) {
        let x = Scale::x(month);
        self.push(format_args!(
            "<path class=\"flag\" stroke=\"#8b9994\" stroke-dasharray=\"2 4\" d=\"M{x} {TOP}V{BOTTOM}\"/>"
        ));
        let (anchor, dx) = if month > 36 { ("end", -8) } else { ("start", 8) };
        self.text(x.plus(dx), Tenths::px(TOP + 14), anchor, text);
    }

    /// What could not be marked, at the top of the plot.
    pub(super) fn note(&mut self, text: &str) {
        self.text(Tenths::px(RIGHT), Tenths::px(TOP + 14), "end", text);
    }

    /// The same beside the title, in charts without a legend.
    pub(super) fn remark(&mut self, text: &str) {
        self.text(Tenths::px(RIGHT), Tenths::px(30), "end", text);
    }

    fn text(&mut self, x: Tenths, y: Tenths, anchor: &str, text: &str) {
        let text = escape(text);
        self.push(format_args!(
            "<text class=\"ink halo\" fill=\"#1c2724\" stroke=\"#fbfcfb\" stroke-width=\"4\" stroke-linejoin=\"round\" \
             paint-order=\"stroke\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-weight=\"500\">{text}</text>"
        ));
    }

    /// Names of lines, at the right of the title.
    pub(super) fn legend(&mut self, entries: &[(&str, Tone)]) {
        let mut right = RIGHT;
        for (name, tone) in entries.iter().rev() {
            let (stroke, name) = (tone.stroke(), escape(name));
            self.push(format_args!(
                "<text class=\"quiet\" fill=\"#56635f\" x=\"{right}\" y=\"29\" text-anchor=\"end\">{name}</text>"
            ));
            // Widths are guessed on the wide side: fonts differ.
            let start = right - 31 * i64::try_from(name.chars().count()).unwrap_or_default() / 4 - 34;
            let end = start + 26;
            self.push(format_args!(
                "<path {stroke} stroke-width=\"2.5\" fill=\"none\" d=\"M{start} 24H{end}\"/>"
            ));
            right = start - 16;
        }
    }

    pub(super) fn finish(self) -> String {
        let Self {
            id,
            title,
            description,
            body,
            ..
        } = self;
        let (title, description) = (escape(title), escape(&description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" font-family=\"{FONT}\" font-size=\"14\">\n\
             <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{description}</desc>\n\
             <style>{DARK}</style>\n\
             <rect class=\"surface\" fill=\"#fbfcfb\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\"/>\n\
             <text class=\"ink\" fill=\"#1c2724\" x=\"20\" y=\"30\" font-size=\"17\" font-weight=\"600\">{title}</text>\n\
             {body}</svg>\n"
        )
    }
}

/// Text between tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
