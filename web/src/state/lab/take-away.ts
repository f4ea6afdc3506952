/** Pictures on the page as files: an SVG with its looks written into it, in light colours, on paper. */

import { download } from '../picture';

/** What the page's sheets may have said about a shape. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'paint-order',
  'display',
];
const FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif";

/** The text of an SVG file that looks as `drawing` does in the light. */
export function svgText(drawing: SVGSVGElement): string {
  const root = document.documentElement;
  const theme = root.dataset['theme'];
  // No frame is painted before this function ends, so nobody sees the light.
  root.dataset['theme'] = 'light';
  try {
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    dress(drawing, copy);
    const box = drawing.viewBox.baseVal;
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.setAttribute('width', String(box.width));
    copy.setAttribute('height', String(box.height));
    copy.setAttribute('font-family', FONT);
    const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    const sides = { x: box.x, y: box.y, width: box.width, height: box.height, fill: getComputedStyle(document.body).backgroundColor };
    for (const [name, value] of Object.entries(sides)) paper.setAttribute(name, String(value));
    copy.prepend(paper);
    return new XMLSerializer().serializeToString(copy);
  } finally {
    if (theme === undefined) delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
  }
}

function dress(from: Element, to: Element): void {
  const looks = getComputedStyle(from);
  for (const name of LOOKS) {
    const value = looks.getPropertyValue(name);
    if (value !== '') to.setAttribute(name, value);
  }
  // What is hidden on the page because something lies over it is shown in the picture.
  for (const name of ['class', 'style', 'tabindex', 'role', 'visibility']) to.removeAttribute(name);
  [...from.children].forEach((child, index) => {
    const twin = to.children[index];
    if (twin) dress(child, twin);
  });
}

export function saveText(text: string, name: string, type: string): void {
  download(new Blob([text], { type }), name);
}

export function saveSvg(drawing: SVGSVGElement, name: string): void {
  saveText(svgText(drawing), `${name}.svg`, 'image/svg+xml');
}
