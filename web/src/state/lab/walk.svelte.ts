/**
 * A recorded search, walked through: the step that is shown and the part of
 * the tree that is open. Only that part is here; the whole of it stays on the
 * server.
 */

import { wordsOf } from '../../api/client';
import { children, cutStep, type NodeView, type Question, type Standing, type Step, step, type Tree, tree } from '../../api/lab';
import type { Words } from '../../api/types';

/** Children that are fetched at a time. */
const PAGE = 24;
/** Nodes whose children are remembered, shown or not. */
const REMEMBERED = 300;
/** Open nodes at once: drawing more of them would be slow and show nothing. */
export const MOST_SHOWN = 400;

export class TreeWalk {
  tree: Tree | null = $state.raw(null);
  step: Step | null = $state.raw(null);
  problem: Words | null = $state.raw(null);
  loading = $state(false);
  /** The children that are here, by their parent. */
  kids: Map<number, NodeView[]> = $state.raw(new Map());
  /** What was opened by hand. */
  #opened: Set<number> = $state.raw(new Set());
  /** What was closed by hand although the search is in it. */
  #closed: Set<number> = $state.raw(new Set());
  #question: Question | null = null;
  #wanted: number | null = null;
  #moving = false;

  readonly path: Map<number, Standing> = $derived(new Map(this.step?.path.map((standing) => [standing.node.id, standing])));
  readonly #near: Map<number, NodeView[]> = $derived(new Map(this.step?.path.map(({ node }, at) => [node.id, this.step?.near[at] ?? []])));
  readonly roots: NodeView[] = $derived(this.tree?.tree.filter((node) => node.parent === null) ?? []);
  /** The root that the answer comes from: a search that deepens has one for each depth. */
  readonly root: NodeView | undefined = $derived(this.tree?.tree.find((node) => node.best_line && node.parent === null) ?? this.roots.at(-1));
  /** Best play once the search is at its end: each of its nodes by the one above. */
  readonly line: Map<number | null, NodeView> = $derived.by(() => {
    const ended = this.root !== undefined && (this.step?.number ?? 0) >= this.root.left;
    return new Map(ended ? this.tree?.tree.filter((node) => node.best_line).map((node) => [node.parent, node]) : []);
  });
  readonly shown: NodeView[] = $derived.by(() => {
    const found: NodeView[] = [];
    const add = (node: NodeView) => {
      found.push(node);
      this.below(node).forEach(add);
    };
    this.roots.forEach(add);
    return found;
  });

  /** The children that are shown: all that are here, or those near the search where it alone has opened the node; in the end best play. */
  below(node: NodeView): NodeView[] {
    if (!this.isOpen(node)) return [];
    const near = this.#near.get(node.id) ?? [];
    const opened = this.#opened.has(node.id) ? (this.kids.get(node.id) ?? []) : near;
    const onward = near.find((child) => this.path.has(child.id));
    // The way of the search is shown, whatever else is not here yet.
    const here = !onward || opened.some((child) => child.id === onward.id) ? opened : near;
    const best = this.line.get(node.id);
    if (!best || here.some((child) => child.id === best.id)) return here;
    return [...here, best].sort((a, b) => a.id - b.id);
  }

  isOpen(node: NodeView): boolean {
    if (node.children === 0) return false;
    return this.#opened.has(node.id) || ((this.path.has(node.id) || this.line.has(node.id)) && !this.#closed.has(node.id));
  }

  /** Does best play lead through it, as far as the search is by now? */
  isBest(node: NodeView): boolean {
    return this.line.get(node.parent)?.id === node.id;
  }

  async load(question: Question, n: number): Promise<void> {
    this.#question = question;
    this.problem = null;
    this.loading = true;
    try {
      const found = await tree(question, PAGE);
      if (this.#question !== question) return;
      this.tree = found;
      this.step = null;
      this.kids = new Map();
      this.#opened = new Set();
      this.#closed = new Set();
      await this.go(n);
    } catch (error) {
      if (this.#question !== question) return;
      this.tree = null;
      this.step = null;
      this.problem = wordsOf(error);
    } finally {
      if (this.#question === question) this.loading = false;
    }
  }

  /** Shows a step. While one is on its way only the newest wish is kept. */
  async go(n: number): Promise<void> {
    const steps = this.tree?.steps ?? 0;
    if (steps === 0) return;
    this.#wanted = Math.max(0, Math.min(steps - 1, Math.round(n)));
    if (this.#moving) return;
    this.#moving = true;
    try {
      while (this.#wanted !== null) {
        const next = this.#wanted;
        this.#wanted = null;
        await this.#show(next);
      }
    } catch (error) {
      this.problem = wordsOf(error);
    } finally {
      this.#moving = false;
    }
  }

  /** The next cut, or the last one before; false if there is none. */
  async toCut(back: boolean): Promise<boolean> {
    const question = this.#question;
    if (!question || !this.step) return false;
    const found = await cutStep(question, this.step.number, back);
    if (found.step === null) return false;
    await this.go(found.step);
    return true;
  }

  async toggle(node: NodeView): Promise<void> {
    const open = this.isOpen(node);
    const without = (set: Set<number>) => new Set([...set].filter((id) => id !== node.id));
    if (open) {
      this.#opened = without(this.#opened);
      this.#closed = new Set([...this.#closed, node.id]);
    } else {
      await this.#fetch([node.id]);
      this.#opened = new Set([...this.#opened, node.id]);
      this.#closed = without(this.#closed);
    }
  }

  /** Opens everything on the deepest layer shown, as far as there is room. */
  async openLayer(): Promise<void> {
    const closed = this.shown.filter((node) => node.children > 0 && !this.isOpen(node));
    const ply = Math.min(...closed.map((node) => node.ply));
    let room = MOST_SHOWN - this.shown.length;
    const chosen = closed.filter((node) => node.ply === ply && (room -= node.children) >= 0).map((node) => node.id);
    await this.#fetch(chosen);
    this.#opened = new Set([...this.#opened, ...chosen]);
    this.#closed = new Set([...this.#closed].filter((id) => !chosen.includes(id)));
  }

  /** More children of a node of which not all are shown. */
  async more(node: NodeView): Promise<void> {
    const question = this.#question;
    if (!question) return;
    let here = this.kids.get(node.id) ?? [];
    const onward = this.#near.get(node.id)?.find((child) => this.path.has(child.id));
    // As many as it takes to reach the way of the search.
    do {
      const found = await children(question, node.id, here.length, PAGE);
      here = [...here, ...found];
      if (found.length === 0) break;
    } while (onward && !here.some((child) => child.id === onward.id));
    if (this.#question !== question) return;
    this.#keep([[node.id, here]]);
    this.#opened = new Set([...this.#opened, node.id]);
  }

  find(id: number): NodeView | undefined {
    return this.shown.find((node) => node.id === id);
  }

  async #show(n: number): Promise<void> {
    const question = this.#question;
    if (!question) return;
    const found = await step(question, n);
    if (this.#question !== question) return;
    this.step = found;
  }

  /** Fetches the first children of those nodes whose children are not here. */
  async #fetch(ids: number[]): Promise<void> {
    const question = this.#question;
    const missing = ids.filter((id) => !this.kids.has(id));
    if (!question || missing.length === 0) return;
    const found = await Promise.all(missing.map(async (id): Promise<[number, NodeView[]]> => [id, await children(question, id, 0, PAGE)]));
    if (this.#question === question) this.#keep(found);
  }

  #keep(found: [number, NodeView[]][]): void {
    const all = new Map([...this.kids, ...found]);
    for (const id of all.keys()) {
      if (all.size <= REMEMBERED) break;
      if (!this.#opened.has(id) && !found.some(([kept]) => kept === id)) all.delete(id);
    }
    this.kids = all;
  }
}
