/** What is filled in on cards and forms, by name. It isn't lost while another thread or page takes their place. */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { recall, remember } from './preferences.js'

export const kept = signal(recall('kept', {}, sessionStorage))

/** `value`: undefined to forget it. */
export function keep(name, value) {
  const { [name]: _before, ...others } = kept.peek()
  kept.value = value === undefined ? others : { ...others, [name]: value }
  remember('kept', kept.peek(), sessionStorage)
}

export const forget = (name) => keep(name, undefined)

/** A card may have got another form since then, with other fields under the same name. */
const withKept = (initial, before) => (initial.constructor === Object ? { ...initial, ...before } : (before ?? initial))

/** Like useState, but goes on from what was filled in before. */
export function useKept(name, initial) {
  const [value, setValue] = useState(withKept(initial, kept.peek()[name]))
  const change = (next) => {
    setValue(next)
    keep(name, next)
  }
  return [value, change]
}
