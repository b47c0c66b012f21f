import { classes, html } from '../html.js'
import { views } from '../route.js'
import { say } from '../words.js'
import { Servers } from './servers.js'
import { Skills } from './skills.js'

const pages = { skills: Skills, servers: Servers }
const names = { skills: say.skills(), servers: say.mcpServers() }

/** What the bot has learned to do: skills, and the servers whose tools it uses. */
export function Abilities({ view }) {
  const Page = pages[view]
  return html`
    <div class="scroller" tabindex="-1">
      <div class="trust">
        <nav class="tabs" aria-label=${say.skillsServers()}>
          ${Object.entries(names).map(
            ([name, words]) =>
              html`<a key=${name} class=${classes('tab', name === view && 'current')} href=${`#!${views[name]}`}
                aria-current=${name === view ? 'page' : undefined}>${words}</a>`,
          )}
        </nav>
        <${Page} key=${view} />
      </div>
    </div>
  `
}
