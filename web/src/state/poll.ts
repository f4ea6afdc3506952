/**
 * Looks again and again, `every` so many milliseconds after the last answer,
 * for as long as `look` says that there will be something new. Gives back what
 * ends it, a request on its way included: an effect returns that, so that
 * nothing is asked for once its screen is left.
 */
export function poll(look: (signal: AbortSignal) => Promise<boolean>, every: number): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = async () => {
    const more = await look(stop.signal);
    if (more && !stop.signal.aborted) timer = setTimeout(() => void next(), every);
  };
  void next();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
