/** The little Markdown that rules are written in, as blocks and spans; anything else stays text. */

export type Span = { kind: 'text' | 'strong' | 'emphasis' | 'code'; text: string };
export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'code'; text: string };

const ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;

export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  for (const part of splitBlocks(text)) blocks.push(...readBlock(part));
  return blocks;
}

/** Paragraphs are parted by empty lines, except inside fenced code. */
function splitBlocks(text: string): string[][] {
  const blocks: string[][] = [[]];
  let fenced = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('```')) fenced = !fenced;
    if (line.trim() === '' && !fenced) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

function readBlock(lines: string[]): Block[] {
  const first = lines[0] ?? '';
  if (first.startsWith('```')) return [{ kind: 'code', text: lines.slice(1, -1).join('\n') }];
  const heading = /^(#{1,6})\s+(.*)$/.exec(first);
  if (heading) {
    const block: Block = { kind: 'heading', level: heading[1]?.length ?? 1, spans: readSpans(heading[2] ?? '') };
    return lines.length > 1 ? [block, ...readBlock(lines.slice(1))] : [block];
  }
  if (first.startsWith('|') && /^\|[\s:|-]+\|?$/.test(lines[1] ?? '')) return [readTable(lines)];
  const list = lines.findIndex((line) => ITEM.test(line));
  if (list === 0) return [readList(lines)];
  if (list > 0) return [...readBlock(lines.slice(0, list)), readList(lines.slice(list))];
  return [{ kind: 'paragraph', spans: readSpans(lines.map((line) => line.trim()).join(' ')) }];
}

function readList(lines: string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2] ?? '');
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: 'list', ordered: ITEM.exec(lines[0] ?? '')?.[1] !== undefined, items: items.map(readSpans) };
}

function readTable(lines: string[]): Block {
  const cells = (line: string) =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split('|')
      .map((cell) => readSpans(cell.trim()));
  return { kind: 'table', head: cells(lines[0] ?? ''), rows: lines.slice(2).map(cells) };
}

export function readSpans(text: string): Span[] {
  const spans: Span[] = [];
  const pattern = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`/g;
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) spans.push({ kind: 'text', text: text.slice(from, match.index) });
    const [whole, strong, emphasis, code] = match;
    if (strong !== undefined) spans.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) spans.push({ kind: 'emphasis', text: emphasis });
    else if (code !== undefined) spans.push({ kind: 'code', text: code });
    from = match.index + whole.length;
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) });
  return spans;
}
