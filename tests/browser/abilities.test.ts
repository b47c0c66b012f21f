import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { picture, useBrowser, withoutBrowser } from '../support/browser.ts'
import { inSlack, storeOf, threadIn } from '../support/threads.ts'
import { clippedOn } from './clipped.ts'

const openPage = useBrowser()

test.skipIf(withoutBrowser)(
  'the console installs, reads, switches off and removes skills, and adds a server (needs chromium)',
  async () => {
    const bot = await startTestBot()
    const page = await openPage(bot.chat.url)
    await page.getByRole('link', { name: 'Skills and tools' }).click()
    const table = page.getByRole('table', { name: 'Skills' })
    const rowOf = (name: string) => table.getByRole('row').filter({ hasText: `@${name}` })
    await rowOf('pdf').getByText('comes with Bobbin').waitFor()

    const text = '---\nname: notes\ndescription: Keeps notes <b>here</b>.\n---\nBe short.\n'
    const file = { name: 'SKILL.md', mimeType: 'text/markdown', buffer: Buffer.from(text) }
    await page.getByLabel('Install a zip or SKILL.md').setInputFiles(file)
    await rowOf('notes').getByText('Keeps notes <b>here</b>.').waitFor()
    await rowOf('notes').getByRole('button', { name: 'Read' }).click()
    await rowOf('notes').getByText('Be short.').waitFor()
    await picture(page, 'skills')
    await rowOf('notes').getByRole('button', { name: 'Turn off' }).click()
    await rowOf('notes').getByText('off', { exact: true }).waitFor()
    await rowOf('notes').getByRole('button', { name: 'Remove' }).click()
    await rowOf('notes').waitFor({ state: 'detached' })
    await page.getByLabel('Install a zip or SKILL.md').setInputFiles({ ...file, buffer: Buffer.from('nothing') })
    await page.getByRole('alert').getByText('front matter').waitFor()

    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    const toolRow = (name: string) =>
      page.getByRole('table', { name: 'Tools' }).getByRole('row').filter({ hasText: name }).first()
    await toolRow('run_command').getByText('asks (medium risk)').waitFor()
    await toolRow('read_file').getByText('runs again').waitFor()
    await picture(page, 'tools')
    const wide = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 860 })
    expect(await clippedOn(page)).toEqual([])
    await picture(page, 'tools-narrow')
    if (wide) await page.setViewportSize(wide)

    await page.getByRole('link', { name: 'MCP servers' }).click()
    await page.getByLabel('Name', { exact: true }).fill('far')
    await page.getByLabel('Address').fill('http://127.0.0.1:9/mcp')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const server = page.getByRole('table', { name: 'MCP servers' }).getByRole('row').filter({ hasText: 'far' })
    await server.getByRole('button', { name: 'Test' }).click()
    await server
      .getByText(/can’t be used/)
      .first()
      .waitFor()
    await picture(page, 'servers')
    await server.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There are none.').waitFor()
    await page.setViewportSize({ width: 390, height: 860 })
    expect(await clippedOn(page)).toEqual([])
    expect(await bot.chat.get('/mcp/servers')).toEqual({ servers: [] })
  },
)

test.skipIf(withoutBrowser)(
  'a skill that can’t be read can’t be turned on in the console (needs chromium)',
  async () => {
    const bot = await startTestBot()
    const body = '---\nname: notes\ndescription: Keeps notes.\n---\nBe short.\n'
    await fetch(`${bot.chat.url}/api/v1/skills`, { method: 'POST', body })
    const [hash = ''] = await readdir(join(bot.dataDir, 'skills'))
    await writeFile(join(bot.dataDir, 'skills', hash, 'SKILL.md'), 'damaged')
    const page = await openPage(bot.chat.url)
    await page.getByRole('link', { name: 'Skills and tools' }).click()
    const row = page.getByRole('table', { name: 'Skills' }).getByRole('row').filter({ hasText: '@notes' })
    await row.getByText('can’t be read', { exact: true }).waitFor()
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Read', 'Go back', 'Remove'])
    await row.getByRole('button', { name: 'Read' }).click()
    await row.getByText('Whoever runs Bobbin can find out why').waitFor()
  },
)

test.skipIf(withoutBrowser)(
  'the skills of a channel in Slack are shown, read and switched off there, not in the console (needs chromium)',
  async () => {
    const bot = await startTestBot()
    await threadIn(await storeOf(bot), inSlack('C0SALES'), 'How did we sell in May?')
    const skill = { method: 'POST', body: '---\nname: notes\ndescription: Keeps notes.\n---\nBe short.\n' }
    const inTeam = 'platform=slack&tenant_id=T1&project_id=C0SALES'
    await fetch(`${bot.chat.url}/api/v1/skills?${inTeam}&scope=channel`, skill)
    const page = await openPage(`${bot.chat.url}/#/slack:T1:C0SALES`)
    await page.getByRole('link', { name: 'Skills and tools' }).click()
    await page.getByText('What the bot knows how to do in #C0SALES.').waitFor()
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: `@${name}` })
    await rowOf('notes').getByRole('button', { name: 'Read' }).click()
    await rowOf('notes').getByText('Be short.').waitFor()
    await rowOf('pdf').getByRole('button', { name: 'Turn off' }).click()
    await rowOf('pdf').getByText('off', { exact: true }).waitFor()
    const offIn = async (query: string) => {
      const { skills } = await bot.chat.get<{ skills: { name: string; is_disabled: boolean }[] }>(`/skills?${query}`)
      return skills.filter(({ is_disabled }) => is_disabled).map(({ name }) => name)
    }
    expect(await offIn(inTeam)).toEqual(['pdf'])
    expect(await offIn('project_id=general')).toEqual([])
  },
)
