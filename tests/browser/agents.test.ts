import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { family, long } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { picture, scrollTo, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, heldUntil, says } from '../support/model-server.ts'
import { foundOn } from './axe.ts'
import { clippedOn } from './clipped.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'a subagent can be looked into from its line, and only there (needs chromium)',
  async () => {
    const seen = Promise.withResolvers<void>()
    const give = { task: 'Read a.txt and say what it is about.', agent: 'explorer' }
    const script = family(
      [calls('delegate_task', give, ['delegate_task', { task: 'Read b.txt.' }]), says('Both are about fruit.')],
      [calls('list_files', {}), (task) => heldUntil(seen.promise, says(long(`${task.slice(0, 12)}: apples.`)))],
    )
    const bot = await startTestBot({ script })
    const stream = await bot.chat.send('compare the two files')
    const conversation = stream.headers.get('x-conversation-id') ?? ''
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    const links = page.getByRole('link', { name: /^Open subagent-/ })
    await page.getByRole('log', { name: 'Output' }).nth(1).getByText('Listing the files').waitFor()
    await picture(page, 'subagents')
    const narrow = await openPage(page.url(), { width: 390, dark: true })
    await narrow.getByRole('log', { name: 'Output' }).nth(1).getByText('Listing the files').waitFor()
    await picture(narrow, 'subagents-narrow-dark')
    await narrow.close()
    await expect.poll(() => links.count()).toBe(2)
    await links.first().click()
    await page.getByText('works for another thread').waitFor()
    await page.getByLabel('The task').getByText('Read a.txt and say what it is about.').waitFor()
    expect(await page.getByRole('textbox', { name: /message/i }).count()).toBe(0)
    seen.resolve()
    await page.getByText('Read a.txt a: apples.').first().waitFor()
    await picture(page, 'subagent')
    await page.getByRole('link', { name: 'Open that thread' }).click()
    await page.getByText('Both are about fruit.', { exact: true }).waitFor()
    await expect.poll(() => links.count()).toBe(2)
  },
)

test.skipIf(withoutBrowser)(
  'what a subagent asked is no longer needed when its agent is switched off (needs chromium)',
  async () => {
    const give = calls('delegate_task', { task: 'Look.', agent: 'explorer' })
    const bot = await startTestBot({
      script: family([give, says('Nobody looked.')], [calls('ask_human', { question: 'Where?' })]),
    })
    const { conversation } = await bot.chat.say('go')
    const page = await openPage(`${bot.chat.url}/#/general/${conversation}`)
    await page.getByText('Where?').first().waitFor()
    await fetch(`${bot.chat.url}/api/v1/agents/explorer/disable`, { method: 'POST' })
    await page.getByText('No longer needed').waitFor()
    await page.getByText('Nobody looked.').first().waitFor()
  },
)

test.skipIf(withoutBrowser)('the page of the agents says what they did, and leads to it (needs chromium)', async () => {
  const bot = await startTestBot({
    script: [says('It is in main.ts.'), says('Fine.')],
    environment: { MODEL_BASE_PRICE_INPUT: '10', MODEL_BASE_PRICE_OUTPUT: '10' },
  })
  await bot.chat.say('@explorer where is it?')
  await bot.chat.say('@reviewer is it fine?')
  const page = await openPage(bot.chat.url)
  await page.getByRole('link', { name: 'Agents' }).click()
  const table = page.getByRole('table', { name: 'Agents' })
  const row = table.getByRole('row').filter({ hasText: 'explorer' }).first()
  await row.getByText('100 %').waitFor()
  expect(await table.getByRole('row').count()).toBe(8)
  await row.getByRole('button', { name: 'explorer' }).click()
  const runs = page.getByRole('table', { name: 'Runs of explorer' })
  await runs.getByText('succeeded').waitFor()
  expect(await runs.getByRole('row').count()).toBe(2)
  await picture(page, 'agents')
  const narrow = await openPage(page.url(), { width: 390, dark: true })
  await narrow.getByRole('button', { name: 'explorer' }).click()
  await narrow.getByRole('table', { name: 'Runs of explorer' }).waitFor()
  await picture(narrow, 'agents-narrow-dark')
  expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await narrow.close()
  await runs.getByRole('link', { name: 'Open' }).click()
  await page.getByText('It is in main.ts.').first().waitFor()
  // What is said before the first step leaves no empty entry above it.
  const entries = await page
    .getByRole('article', { name: 'Bobbin' })
    .locator('.turn-body, .message-body')
    .allTextContents()
  expect(entries.filter((text) => text.trim() === '')).toEqual([])
})

test.skipIf(withoutBrowser)('agents are made, changed and tried on their page (needs chromium)', async () => {
  const bot = await startTestBot({ config: { sections: { agents: { by_words: true } } } })
  const page = await openPage(`${bot.chat.url}/#!agents`)
  // What is loaded again every six seconds.
  await page.evaluate('{ const usual = setInterval; setInterval = (work, ms) => usual(work, ms === 6000 ? 200 : ms) }')
  await page.getByRole('button', { name: 'New agent' }).click()
  const form = page.getByRole('form', { name: 'New agent' })
  await form.getByLabel('Name, such as poet').fill('poet')
  await form.getByLabel('What it is for').fill('Writes verse.')
  await form.getByLabel('Instructions').fill('Answer in verse.')
  await form.getByLabel('Words that choose it').fill('poem, rhyme')
  await picture(page, 'agent-new')
  expect(await foundOn(page)).toEqual([])
  await form.getByRole('button', { name: 'Save' }).click()
  const detail = page.getByRole('region', { name: 'The agent poet' })
  await detail.getByText('Words: poem, rhyme').waitFor()
  const routing = page.getByRole('form', { name: 'Who would get this message?' })
  await routing.getByRole('textbox').fill('a poem about rain')
  await routing.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('poet (one), because of “poem”.').waitFor()
  await detail.getByRole('button', { name: 'Edit' }).click()
  const edited = page.getByRole('form', { name: 'The agent poet' })
  expect(await edited.getByLabel('Instructions').inputValue()).toBe('Answer in verse.')
  await edited.getByLabel('Instructions').fill('Answer in rhymes.')
  await page.route('**/agents/poet', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.locator('.opened').getByRole('alert').waitFor()
  expect(await edited.getByLabel('Instructions').count()).toBe(1)
  expect(await edited.getByLabel('Instructions').inputValue()).toBe('Answer in rhymes.')
  await page.unroute('**/agents/poet')
  await edited.getByLabel('Model calls per turn').fill('3')
  // What somebody else has changed since it was opened stays.
  const patched = {
    ...{ method: 'PATCH', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ tools: ['read_file'] }),
  }
  expect((await fetch(`${bot.chat.url}/api/v1/agents/poet`, patched)).status).toBe(200)
  await edited.getByRole('button', { name: 'Save' }).click()
  await detail.getByText('Steps: at most 3').waitFor()
  expect(await bot.chat.get<object>('/agents/poet')).toMatchObject({
    tools: ['read_file'],
    steps: 3,
    prompt: 'Answer in rhymes.',
  })
  await picture(page, 'agent-changed')
  const narrow = await openPage(page.url(), { width: 390, dark: true })
  await narrow.getByRole('button', { name: 'poet' }).click()
  await scrollTo(narrow.getByText('Steps: at most 3'))
  await picture(narrow, 'agent-changed-narrow-dark')
  expect(await clippedOn(narrow)).toEqual([])
  await narrow.close()
  await detail.getByRole('button', { name: 'Turn off' }).click()
  await detail.getByRole('button', { name: 'Turn on' }).waitFor()
  await detail.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'poet' }).count()).toBe(0)
})

test.skipIf(withoutBrowser)(
  'what is written about one agent ends when another is opened (needs chromium)',
  async () => {
    const bot = await startTestBot()
    const page = await openPage(`${bot.chat.url}/#!agents`)
    for (const name of ['explorer', 'reviewer', 'explorer']) {
      await page.getByRole('button', { name, exact: true }).click()
      const detail = page.getByRole('region', { name: `The agent ${name}` })
      await detail.or(page.getByRole('form', { name: `The agent ${name}` })).waitFor()
      expect(await detail.count()).toBe(1)
      await detail.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Instructions').fill(`Unsaved of ${name}.`)
    }
  },
)

test.skipIf(withoutBrowser)(
  'where changes of agents apply is asked if there are several workspaces (needs chromium)',
  async () => {
    const bot = await startTestBot()
    const database = new Sqlite(bot.database)
    onTestFinished(() => void database.close())
    const add = database.prepare(`insert into sessions
      (id, platform, tenant, project, thread, title, person, time_zone, created_at, updated_at)
      values (?, ?, ?, 'C1', '1', '', '{"id":"U1","name":"ana"}', 'UTC', 1, 1)`)
    add.run('ses_1', 'slack', 'T1')
    const page = await openPage(`${bot.chat.url}/#!agents`)
    const row = page.getByRole('table', { name: 'Agents' }).getByRole('row').filter({ hasText: 'explorer' }).first()
    await row.getByRole('button', { name: 'explorer' }).click()
    const where = page.getByLabel('Changes apply')
    expect(await where.count()).toBe(0)
    add.run('ses_2', 'discord', '2')
    await page.reload()
    await expect
      .poll(() => where.locator('option').allTextContents())
      .toEqual(['everywhere', 'in the Discord server 2', 'in the Slack workspace T1'])
    const answered = Promise.withResolvers<void>()
    await page.route('**/agents?tenant_id=T1', async (route) => {
      await answered.promise
      await route.continue()
    })
    await where.focus()
    await where.selectOption('T1')
    await page.getByLabel('Loading').waitFor()
    expect(await row.count()).toBe(0)
    await page.locator('select:focus').waitFor()
    answered.resolve()
    await row.getByRole('button', { name: 'explorer' }).click()
    const detail = page.getByRole('region', { name: 'The agent explorer' })
    await detail.getByRole('button', { name: 'Turn off' }).click()
    await detail.getByRole('button', { name: 'Undo the changes here' }).waitFor()
    await picture(page, 'agents-tenant')
    expect(await foundOn(page)).toEqual([])
    const isOff = async (tenant: string) =>
      (await bot.chat.get<{ is_disabled: boolean }>(`/agents/explorer${tenant}`)).is_disabled
    expect([await isOff('?tenant_id=T1'), await isOff('?tenant_id=2'), await isOff('')]).toEqual([true, false, false])
    await detail.getByRole('button', { name: 'Undo the changes here' }).click()
    await detail.getByRole('button', { name: 'Turn off' }).waitFor()
    expect(await isOff('?tenant_id=T1')).toBe(false)
  },
)
