/** Work that a page doesn't go on with while it is hidden. */

/** A glance at another tab doesn't end it. */
const graceMs = 10_000

function shownAgain(signal) {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })
}

/** Does the work until its signal is aborted, because the page has been hidden for some seconds, or `signal` was. */
async function untilHidden(work, signal) {
  const attempt = new AbortController()
  let timer
  const look = () => {
    clearTimeout(timer)
    if (signal.aborted) attempt.abort()
    else if (document.hidden) timer = setTimeout(() => attempt.abort(), graceMs)
  }
  document.addEventListener('visibilitychange', look)
  signal.addEventListener('abort', look)
  look()
  try {
    await work(attempt.signal)
  } finally {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    signal.removeEventListener('abort', look)
  }
}

/**
 * Ends the work when the page is hidden, and begins it again when it is shown, until `signal` is aborted.
 * @param {(signal: AbortSignal) => Promise<void>} work Ends when its signal is aborted, and not before.
 */
export async function whileShown(work, signal, onPause) {
  while (!signal.aborted) {
    await untilHidden(work, signal)
    if (signal.aborted) return
    onPause()
    await shownAgain(signal)
  }
}
