import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about the web: titles of calls, and what helps if one fails. */
export const webWords = catalogue({
  searching: 'Searching the web for “{query}”',
  sends: 'It sends {method} to {host}.',
  sendsSecrets: 'It sends {method} to {host}, with {count, plural, one {the secret} other {the secrets}} {secrets}.',
  noProvider: 'No provider of web search is configured.',
  setProvider:
    'Whoever runs the bot can set `web.search` in config/bobbin.yaml (searxng, brave, tavily or jina) and its key in WEB_SEARCH_API_KEY. Known addresses can be fetched all the same.',
  badTypeRemedy:
    'http_fetch can save other files: load that tool, or ask a person to write @http_fetch. They can also upload the file.',
  tooLargeRemedy: 'Fetch it with as "file", which takes up to {bytes} bytes.',
  reading: 'Reading {url}',
})
