import { useEffect, useState } from 'preact/hooks'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { problemOf } from '../state.js'
import { say } from '../words.js'

const renewMs = 6000

const nothing = { value: undefined, problem: '' }

/**
 * The result of `load`: forgotten and loaded again when one of `inputs` changes, which are what it is about; loaded
 * again when one of `renewOn` does; and refreshed while it's on screen.
 * @param {() => Promise<any>} load
 */
export function useLoaded(load, inputs, { refreshed = true, renewOn = [] } = {}) {
  const about = JSON.stringify(inputs)
  const [found, setFound] = useState({ ...nothing, about })
  const [count, setCount] = useState(0)
  useEffect(() => {
    let current = true
    let loading = false
    const renew = async () => {
      if (document.hidden || loading) return
      loading = true
      try {
        const value = await load()
        if (current) setFound({ about, value, problem: '' })
      } catch (error) {
        if (!current) return
        const problem = problemOf(error)
        setFound((before) => (before.about === about ? { ...before, problem } : { ...nothing, about, problem }))
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
  }, [about, ...renewOn, count])
  const { value, problem } = found.about === about ? found : nothing
  return { value, problem, renew: () => setCount((before) => before + 1) }
}

export const Problem = ({ text }) =>
  text && html`<div class="failure" role="alert"><${Icon} name="failed" /><p>${text}</p></div>`

export const Loading = () =>
  html`<div class="skeleton" role="status" aria-label=${say.loading()}><i></i><i></i><i></i></div>`
