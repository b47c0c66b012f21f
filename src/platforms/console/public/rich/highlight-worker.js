/** Import maps don't reach workers. */
const library = '/vendor/code'

const loading = import(`${library}/core.js`)

async function coloured(text, language) {
  const { default: core } = await loading
  if (core.getLanguage(language) === undefined) {
    const { default: definition } = await import(`${library}/languages/${language}.js`)
    core.registerLanguage(language, definition)
  }
  return core.highlight(text, { language, ignoreIllegals: true }).value
}

addEventListener('message', async ({ data: { id, text, language } }) => {
  postMessage({ id, html: await coloured(text, language).catch(() => undefined) })
})
