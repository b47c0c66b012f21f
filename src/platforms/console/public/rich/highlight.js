/** Colours code in a worker, so that no code can freeze the page, however it is written. */

const longestMs = 3_000
/** Reading the library first; a slow computer or connection takes a while. */
const longestLoadMs = 60_000

let worker
let number = 0
/** One after the other: what takes too long must not take others with it. */
let queue = Promise.resolve()

function ask(text, language) {
  worker ??= new Worker('/assets/rich/highlight-worker.js', { type: 'module' })
  const asked = worker
  number += 1
  const id = number
  return new Promise((resolve) => {
    const end = (html) => {
      clearTimeout(timer)
      asked.removeEventListener('message', onMessage)
      asked.removeEventListener('error', giveUp)
      resolve(html)
    }
    const giveUp = () => {
      asked.terminate()
      if (worker === asked) worker = undefined
      end(undefined)
    }
    const onMessage = ({ data }) => {
      if (data.id !== id) return
      if (data.html !== undefined) return end(data.html)
      // A library that a worker couldn't load once is never loaded again there.
      if (!data.hasBegun) return giveUp()
      clearTimeout(timer)
      timer = setTimeout(giveUp, longestMs)
    }
    let timer = setTimeout(giveUp, longestLoadMs)
    asked.addEventListener('message', onMessage)
    asked.addEventListener('error', giveUp)
    asked.postMessage({ id, text, language })
  })
}

/** @returns {Promise<string | undefined>} HTML with spans; undefined when it took too long. */
export function highlight(text, language) {
  const answer = queue.then(() => ask(text, language))
  queue = answer
  return answer
}
