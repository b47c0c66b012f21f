import { classes, html } from '../html.js'
import { views } from '../route.js'
import { moreRequests, requests } from '../state.js'
import { say } from '../words.js'
import { TrustAudit } from './trust-audit.js'
import { TrustGrants } from './trust-grants.js'
import { TrustWaiting } from './trust-waiting.js'

const pages = { grants: TrustGrants, waiting: TrustWaiting, audit: TrustAudit }

function Tabs({ view }) {
  const waiting = requests.value.length
  const count = moreRequests.value ? `${waiting}+` : waiting
  const names = {
    grants: say.grants(),
    waiting: waiting > 0 ? say.waitingCount({ count }) : say.waiting(),
    audit: say.audit(),
  }
  return html`
    <nav class="tabs" aria-label=${say.trust()}>
      ${Object.entries(names).map(
        ([
          name,
          words,
        ]) => html`<a key=${name} class=${classes('tab', name === view && 'current')} href=${`#!${views[name]}`}
          aria-current=${name === view ? 'page' : undefined}>${words}</a>`,
      )}
    </nav>
  `
}

/** The Trust page: grants, waiting requests and the audit log. */
export function Trust({ view }) {
  const Page = pages[view]
  return html`
    <div class="scroller" tabindex="-1">
      <div class="trust">
        <${Tabs} view=${view} />
        <${Page} key=${view} />
      </div>
    </div>
  `
}
