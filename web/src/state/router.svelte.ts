/** The current view, in step with the address bar. */

import { readRoute, type Route } from './route';

class Router {
  route: Route = $state.raw(readRoute(location.pathname, location.search));

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('click', (event) => this.#follow(event));
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.#read();
    scrollTo(0, 0);
  }

  /** Changes the address without a new step for Back. */
  replace(path: string): void {
    history.replaceState(null, '', path);
    this.#read();
  }

  #read(): void {
    this.route = readRoute(location.pathname, location.search);
  }

  /** Plain clicks on the page's own links stay in the page. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
    event.preventDefault();
    this.go(url.pathname + url.search);
  }
}

export const router = new Router();
