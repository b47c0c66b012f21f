import { useEffect, useState } from 'preact/hooks'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { describe, refused } from '../state.js'
import { say } from '../words.js'

const renewMs = 6000

/** The text for a failed request to the bot. */
export function problemOf(error) {
  if (error.status === 401) refused.value = error
  return error.status === undefined ? say.notLoaded() : describe(error)
}

/**
 * The result of `load`, loaded again when one of `inputs` changes, and refreshed while it's on screen.
 * @param {() => Promise<any>} load
 */
export function useLoaded(load, inputs, { refreshed = true } = {}) {
  const [found, setFound] = useState({ value: undefined, problem: '' })
  const [count, setCount] = useState(0)
  useEffect(() => {
    let current = true
    let loading = false
    const renew = async () => {
      if (document.hidden || loading) return
      loading = true
      try {
        const value = await load()
        if (current) setFound({ value, problem: '' })
      } catch (error) {
        if (current) setFound((before) => ({ ...before, problem: problemOf(error) }))
      } finally {
        loading = false
      }
    }
    renew()
    // What a hidden page left out is made up for as soon as it is shown.
    document.addEventListener('visibilitychange', renew)
    const timer = refreshed ? setInterval(renew, renewMs) : undefined
    return () => {
      current = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [...inputs, count])
  return { ...found, renew: () => setCount((before) => before + 1) }
}

export const Problem = ({ text }) =>
  text && html`<div class="failure" role="alert"><${Icon} name="failed" /><p>${text}</p></div>`

export const Loading = () =>
  html`<div class="skeleton" role="status" aria-label=${say.loading()}><i></i><i></i><i></i></div>`
