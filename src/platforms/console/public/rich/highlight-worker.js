/** Import maps don't reach workers. */
const library = '/vendor/code'

const loading = import(`${library}/core.js`)

async function coreFor(language) {
  const { default: core } = await loading
  if (core.getLanguage(language) === undefined) {
    const { default: definition } = await import(`${library}/languages/${language}.js`)
    core.registerLanguage(language, definition)
  }
  return core
}

addEventListener('message', async ({ data: { id, text, language } }) => {
  try {
    const core = await coreFor(language)
    postMessage({ id, hasBegun: true })
    postMessage({ id, html: core.highlight(text, { language, ignoreIllegals: true }).value })
  } catch {
    postMessage({ id })
  }
})
