import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewEvent } from '../../src/domain/events.ts'
import { newId } from '../../src/domain/ids.ts'
import { appendAudit } from '../../src/store/audit.ts'
import { appendEvents } from '../../src/store/events.ts'
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot.ts'
import { picture, scrollTo, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { startConsole } from '../support/console.ts'
import { calls, type ModelScript, says } from '../support/model-server.ts'
import { inSlack, threadIn } from '../support/threads.ts'

const openPage = useBrowser()

const run = (command: string) => calls('run_command', { command })

interface Look {
  width?: number
  dark?: boolean
  rules?: NonNullable<TestBotOptions['config']>['rules']
}

/** Opens a thread in which ana asked for a command. */
async function openThread(script: ModelScript, { rules, ...look }: Look = {}) {
  const bot = await startTestBot({ script, config: { rules } })
  const response = await bot.chat.send('Count the lines, please. @run_command', { user: 'ana' })
  const conversation = response.headers.get('x-conversation-id') ?? ''
  await response.body?.cancel()
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`, look)
  return { bot, conversation, page }
}

const card = (page: Page) => page.getByRole('region', { name: 'Approval' }).last()
const say = async (bot: TestBot, conversation: string, text: string) =>
  (await bot.chat.send(text, { user: 'ana', conversation })).body?.cancel()

test.skipIf(withoutBrowser)(
  'what is approved always is not asked again, stands under Trust, and is asked again once revoked (needs chromium)',
  async () => {
    const { bot, conversation, page } = await openThread([
      run('touch outputs/notes.md'),
      says('Counted.'),
      run('touch outputs/notes.md'),
      says('Counted again.'),
      run('touch outputs/notes.md'),
    ])
    await card(page).getByRole('button', { name: 'Approve once' }).waitFor()
    await picture(page, 'trust-card')
    await card(page).getByRole('button', { name: 'Always…' }).click()
    await picture(page, 'trust-always')
    await card(page).getByLabel('How long').selectOption('30 days')
    await card(page).getByRole('button', { name: 'Approve always' }).click()
    await card(page).getByText('always for exactly this call, in this thread, for 30 days').waitFor()
    await page.getByText('Counted.', { exact: true }).waitFor()
    await say(bot, conversation, 'again')
    await page.getByText('Counted again.', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Trust', exact: true }).click()
    const row = page.getByRole('table', { name: 'Grants in force' }).getByRole('row').nth(1)
    await row.getByText('touch outputs/notes.md').waitFor()
    expect(await row.innerText()).toMatch(/one thread[\s\S]*you\s+2\s+30 days left/)
    await picture(page, 'trust-grants')
    await row.getByRole('button', { name: 'Revoke' }).click()
    await picture(page, 'trust-revoke')
    await page.getByRole('button', { name: 'Yes, revoke' }).click()
    await page.getByText('No longer in force (1)').waitFor()

    await say(bot, conversation, 'and again')
    await page.getByRole('link', { name: 'Waiting (1)' }).click()
    await page.getByText('May I use run_command?').waitFor()
    await picture(page, 'trust-waiting')
    await page.getByRole('link', { name: /May I use run_command/ }).click()
    await card(page).getByRole('button', { name: 'Always…' }).click()
    await picture(page, 'trust-again')
  },
)

test.skipIf(withoutBrowser)(
  'a card tells what a call reaches and runs, who decides and by when; a denial says what to do instead (needs chromium)',
  async () => {
    const ask = { action: 'require_approval', risk: 'high' } as const
    const rules = {
      commands: [{ ...ask, programs: ['pip'], hosts: ['pypi.org'], reason: 'It installs.' }],
      deciders: { team: { who: ['participants', 'operator'], asker: true, needed: 2, deny_ms: 3_600_000 } },
    }
    const script = [
      calls('write_file', { path: 'outputs/build.sh', content: 'echo built' }),
      run('pip install left-pad && bash outputs/build.sh && "$TOOL" --all'),
      says('Then not.'),
    ]
    const { bot, page } = await openThread(script, { rules, dark: true, width: 760 })
    await card(page).getByRole('button', { name: 'Approve once' }).click()
    await card(page).getByText('1 of 2 approvals: you').waitFor()
    expect(await shownText(card(page))).toMatch(
      /high risk[\s\S]*I can’t tell[\s\S]*Runs, as it is now\s+outputs\/build\.sh/,
    )
    expect(await shownText(card(page))).toMatch(
      /2 of the people in this thread[\s\S]*Deadline\s+(60|5\d) min left, then it’s denied/,
    )
    expect(await card(page).getByRole('button', { name: 'Always…' }).count()).toBe(0)
    await card(page).getByRole('button', { name: 'Deny and say why…' }).click()
    await card(page).getByLabel('Why not?').fill('left-pad is gone')
    await card(page).getByLabel('Do this instead').fill('write it by hand')
    await picture(page, 'trust-deny')
    await page.keyboard.press('Enter')
    await card(page).getByText('Instead: write it by hand').waitFor()
    await page.getByText('Then not.', { exact: true }).waitFor()
    expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toMatch(/left-pad is gone[\s\S]*write it by hand/)
    await picture(page, 'trust-denied')
  },
)

test.skipIf(withoutBrowser)(
  'a wider grant is chosen with what it lets through, and Escape leads back (needs chromium)',
  async () => {
    const { bot, page } = await openThread([run('touch outputs/a | cat'), says('Done.')], { width: 430 })
    // The next frame may come later than the next key.
    await page.evaluate('requestAnimationFrame = (run) => setTimeout(run, 1_000)')
    await card(page).getByRole('button', { name: 'Always…' }).press('Enter')
    await card(page)
      .getByRole('radio', { name: /Exactly this/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Always…')
    await page.keyboard.press('Enter')
    const wide = card(page).getByRole('radio', { name: /Anything in the closed sandbox, until tomorrow/ })
    await wide.check()
    expect(await card(page).getByLabel('Where').count()).toBe(0)
    await scrollTo(wide)
    await picture(page, 'trust-wide')
    await card(page).getByRole('button', { name: 'Approve always' }).click()
    await card(page).getByText('always anything in the closed sandbox, in this thread, until tomorrow').waitFor()
    const { grants } = await bot.chat.get<{ grants: object[] }>('/grants')
    expect(grants).toMatchObject([
      { scope: 'thread', until: expect.stringMatching(/Z$/), closed_sandbox: true, bound_to_content: false },
    ])
    await page.goto(page.url().replace(/#.*/, '#!trust'))
    await page.getByRole('table', { name: 'Grants in force' }).waitFor()
    await picture(page, 'trust-grants-narrow')
  },
)

test.skipIf(withoutBrowser)('two questions share one form and are answered together (needs chromium)', async () => {
  const options = [
    { label: 'Berlin', recommended: true, estimated_time: '2 hours', estimated_cost: 'about 40 €' },
    { label: 'Vienna', description: 'Where the archive is.', estimated_time: '1 day' },
  ]
  const also = [
    { question: 'Who comes along?', options: ['Ana', 'Ben', 'Cleo'], multiple: true },
    { question: 'Anything else?', required: false },
  ]
  const script = [calls('ask_human', { question: 'Where do we meet?', options, also, to: ['ana'] }), says('Booked.')]
  const { bot, page } = await openThread(script)
  const form = page.getByRole('region', { name: 'Question' })
  const send = form.getByRole('button', { name: 'Answer' })
  await form.getByText('2 answers are missing').waitFor()
  await form.getByRole('radio', { name: /Berlin/ }).check()
  await form.getByRole('checkbox', { name: 'Ana' }).check()
  await form.getByRole('checkbox', { name: 'Cleo' }).check()
  await picture(page, 'trust-form')
  await send.click()
  await page.getByText('Booked.', { exact: true }).waitFor()
  expect(await shownText(form)).toMatch(/Where do we meet\? Berlin[\s\S]*Who comes along\? Ana, Cleo[\s\S]*no answer/)
  expect(JSON.stringify(bot.model.requests.at(-1)?.messages)).toMatch(/Berlin[\s\S]*Ana, Cleo/)
  await picture(page, 'trust-form-answered')
})

test.skipIf(withoutBrowser)('a command’s output is shown while it runs (needs chromium)', async () => {
  const { page } = await openThread([run('seq 1 80; sleep 600'), says('Stopped.')])
  await card(page).getByRole('button', { name: 'Approve once' }).click()
  const output = page.getByRole('log', { name: 'Output' })
  await output.filter({ hasText: '79' }).waitFor()
  const shown = (expression: string) =>
    page.evaluate<number>(
      `(({ scrollHeight, scrollTop, clientHeight }) => ${expression})(document.querySelector('.output'))`,
    )
  expect(await shown('scrollHeight - scrollTop - clientHeight')).toBeLessThan(2)
  expect(await shown('clientHeight')).toBeLessThan(260)
  await picture(page, 'trust-output')
  await page.getByRole('button', { name: 'Stop this turn' }).click()
  await output.waitFor({ state: 'detached' })
})

test.skipIf(withoutBrowser)(
  'the log is read page by page and by kind, and shows where it is broken; hostile words stay words (needs chromium)',
  async () => {
    const { chat, store } = await startConsole([])
    const { id: session } = await threadIn(store, inSlack(), 'A thread')
    const hostile = '<img src=x onerror="document.title=1"> \u202Egnp.exe'
    await store.transaction(async (tx) => {
      for (let number = 0; number < 1500; number++) {
        const data = { call: newId('call'), tool: 'run_command', status: 'done' }
        await appendAudit(tx, { kind: number % 3 === 0 ? 'started' : 'ended', session, data })
      }
      await appendAudit(tx, { kind: 'refused', session, data: { request: 'req_1', by: 'mallory', reason: hostile } })
    })
    const page = await openPage(`${chat.url}/#!trust/audit`)
    await page.getByText('The log is intact: 1,501 entries.').waitFor()
    const rows = page.getByRole('table', { name: 'Log' }).locator('tbody tr')
    expect(await rows.first().innerText()).toMatch(/refused\s+mallory[\s\S]*<img src=x[\s\S]*⟨U\+202E⟩gnp/)
    await rows.first().locator('summary').click()
    await rows.first().getByRole('link', { name: 'Open the thread' }).waitFor()
    await picture(page, 'trust-audit')
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(() => rows.first().innerText()).not.toContain('mallory')
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByLabel('Show').selectOption('Refused')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.title()).toContain('Bobbin')

    await sql`drop trigger audit_is_never_changed`.execute(store.db)
    await store.db.updateTable('audit').set({ kind: 'ended' }).where('seq', '=', 1000).execute()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('The log is broken at entry 1000.').waitFor()
    await picture(page, 'trust-audit-broken')
  },
)

test.skipIf(withoutBrowser)('an @ offers the tools that can be mentioned (needs chromium)', async () => {
  const { chat } = await startConsole([])
  const page = await openPage(chat.url)
  const field = page.getByLabel('Message', { exact: true })
  await field.pressSequentially('Please @run')
  await page.getByRole('option', { name: /@run_script/ }).waitFor()
  await picture(page, 'trust-completion')
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe('Please @run_command ')
})

test.skipIf(withoutBrowser)('people who may not decide are told so on the card (needs chromium)', async () => {
  const rules = { deciders: { team: { who: ['user:zoe'], asker: true, needed: 1 } } }
  const { page } = await openThread([run('touch outputs/a')], { rules })
  await card(page).getByRole('button', { name: 'Approve once' }).click()
  await card(page).getByRole('alert').filter({ hasText: 'Only user zoe can decide this.' }).waitFor()
  await picture(page, 'trust-refused')
  await card(page).getByRole('button', { name: 'Approve once' }).waitFor()
})

test.skipIf(withoutBrowser)(
  'a card follows votes and others who are asked, and warns of text from outside (needs chromium)',
  async () => {
    const { chat, store } = await startConsole([])
    const ids = { turn_id: 'turn_1', request_id: 'req_1', call_id: 'call_1' } as const
    const asked = {
      ...ids,
      tool_name: 'run_command',
      tool_input: { command: 'cat \u202Etxt.eci' },
      reason: 'Runs a shell command.',
      risk: 'critical' as const,
      unclear: [],
      hosts: [],
      runs: [],
      grants: { exact: ['cat \u202Etxt.eci'], untrusted: true },
      who: '2 of group platform',
      needed: 2,
      votes: [],
    }
    const session = await threadIn(store, inSlack('C0OPS'), 'Deploy', [
      { type: 'start', data: { turn_id: 'turn_1', reason: 'message' } },
      { type: 'permission_asked', data: asked },
      { type: 'waiting', data: { turn_id: 'turn_1', request_ids: ['req_1'] } },
    ])
    const page = await openPage(`${chat.url}/#/general/${session.id}`, { dark: true })
    const happens = (event: NewEvent) => store.transaction((tx) => appendEvents(tx, session.id, [event]))
    await card(page).getByText('0 of 2 approvals').waitFor()
    await happens({
      type: 'permission_voted',
      data: { ...ids, person: { id: 'U2', name: 'Ben' }, votes: 1, needed: 2 },
    })
    await card(page).getByText('1 of 2 approvals: Ben').waitFor()
    await happens({ type: 'permission_moved', data: { ...ids, who: 'the operator', needed: 1, escalated: true } })
    await card(page).getByText('Can now be approved by').waitFor()
    expect(await shownText(card(page))).toMatch(/cat ⟨U\+202E⟩txt[\s\S]*Can now be approved by\s+the operator/)
    await card(page).getByRole('button', { name: 'Always…' }).click()
    await card(page).getByText('This thread contains text from outside').waitFor()
    await card(page).getByLabel('Where').selectOption('everywhere here (Slack, T1)')
    await picture(page, 'trust-caution')
  },
)
