type Dispatcher = NonNullable<RequestInit['dispatcher']>

/** Where Node 24 keeps its pool of connections, or the proxies of NODE_USE_ENV_PROXY, once `fetch` has been called. */
const nodesOwn: unique symbol = Symbol.for('undici.globalDispatcher.1')

/** Node gives up after 300 s of silence, before the headers or in the body, and has no setting for it. */
const unlimited: Pick<Dispatcher, 'dispatch'> = {
  dispatch(options, handler) {
    // Node's types don't have it.
    const { [nodesOwn]: own } = globalThis as unknown as { [nodesOwn]: Dispatcher }
    return own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  },
}

/** Node's `fetch`, for whoever sets limits to silence. Its limit for connecting stays. */
export const patientFetch: typeof fetch = (input, init) =>
  // `fetch` calls nothing but `dispatch`.
  fetch(input, { ...init, dispatcher: unlimited as Dispatcher })
