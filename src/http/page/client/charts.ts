// Figures as tables with bars, and line charts: plain SVG, coloured by the page's style. Each chart's data is also
// shown as text.
import { element } from "./elements.ts";

const SVG = "http://www.w3.org/2000/svg";

/** A row of a table: name, text and length of the bar. */
export interface Bar {
  readonly name: string;
  readonly text: string;
  readonly value: number;
  /** Whether it marks a problem. */
  readonly isBad?: boolean;
}

/** Creates a table with a bar in each row. The greatest value, or `most` if greater, has the full length. */
export function barTable(caption: string, bars: readonly Bar[], most = 0): HTMLElement {
  const longest = Math.max(most, ...bars.map(({ value }) => value));
  const rows = bars.map(({ name, text, value, isBad = false }) =>
    element("tr", isBad ? { class: "bad" } : {}, [
      rowHeader(name),
      element("td", { class: "figure", text }),
      element("td", { class: "bar" }, [bar(longest === 0 ? 0 : value / longest)]),
    ]),
  );
  return element("table", { class: "bars" }, [element("caption", { text: caption }), element("tbody", {}, rows)]);
}

/** Creates a line chart of shares from 0 to 1. @param label Its content, for screen readers. */
export function lineChart(
  label: string,
  points: readonly { readonly name: string; readonly share: number }[],
): HTMLElement {
  const [width, height] = [100, 40];
  const at = points.map(({ share }, index) => {
    const x = points.length < 2 ? 0 : (index / (points.length - 1)) * width;
    return `${round(x)},${round(height - share * height)}`;
  });
  const line = svg("polyline", { points: at.join(" "), class: "line", "vector-effect": "non-scaling-stroke" });
  const ground = svg("line", { x1: "0", x2: "100", y1: "40", y2: "40", class: "axis" });
  const chart = svg("svg", { viewBox: "0 -2 100 44", preserveAspectRatio: "none", class: "chart", role: "img" });
  chart.setAttribute("aria-label", label);
  chart.append(ground, line);
  const scale = element("p", { class: "scale" }, [
    element("span", { text: points[0]?.name ?? "" }),
    element("span", { text: points.at(-1)?.name ?? "" }),
  ]);
  return element("figure", {}, [element("figcaption", { text: label }), chart, scale]);
}

function rowHeader(text: string): HTMLTableCellElement {
  const header = element("th", { text });
  header.scope = "row";
  return header;
}

/** Hidden from screen readers, because the number is shown as text. */
function bar(share: number): SVGElement {
  const drawn = svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  const width = share === 0 ? 0 : Math.max(0.5, share * 100);
  drawn.append(svg("rect", { width: String(round(width)), height: "10" }));
  return drawn;
}

export function svg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const round = (value: number) => Math.round(value * 100) / 100;
