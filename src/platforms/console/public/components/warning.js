import { html } from '../html.js'
import { Icon } from '../icons.js'
import { say } from '../words.js'

/** A warning that only the console shows, because people in the thread can't see it. */
const grave = new Set(['not_posted', 'not_imported', 'waits_to_be_posted', 'thread_deleted'])

export const Warning = ({ code, message }) =>
  grave.has(code)
    ? html`<div class="failure warned" role="group" aria-label=${say.warning()}><${Icon} name="failed" /><p>${message}</p></div>`
    : html`<p class="quiet warning"><${Icon} name="failed" />${message}</p>`
