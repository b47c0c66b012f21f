import { classes, html } from '../html.js'
import { views } from '../route.js'
import { say } from '../words.js'
import { Servers } from './servers.js'
import { Skills } from './skills.js'
import { Tools } from './tools.js'

const pages = { skills: Skills, tools: Tools, servers: Servers }
const names = { skills: say.skills(), tools: say.tools(), servers: say.mcpServers() }

/** What the bot can do: skills, tools, and the servers that bring tools. */
export function Abilities({ view }) {
  const Page = pages[view]
  return html`
    <div class="scroller" tabindex="-1">
      <div class="trust">
        <nav class="tabs" aria-label=${say.skillsTools()}>
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
