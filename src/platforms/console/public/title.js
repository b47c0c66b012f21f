/** The tab tells from afar when something waits for a person. */
import { effect } from '@preact/signals'
import { about, conversationHere, moreRequests, waitingCount } from './state.js'

export function startTitle() {
  const icon = document.querySelector('link[rel="icon"]')
  effect(() => {
    const count = waitingCount.value
    const name = about.value?.name ?? 'Bobbin'
    const title = conversationHere.value?.title
    document.title = `${count > 0 ? `(${count}${moreRequests.value ? '+' : ''}) ` : ''}${title ? `${title} · ` : ''}${name}`
    icon.href = count > 0 ? '/assets/icon-waiting.svg' : '/assets/icon.svg'
  })
}
