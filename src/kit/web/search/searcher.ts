import { Failure } from '../../failure.ts'
import { type Provider, providers } from './providers.ts'

/** From `config/bobbin.yaml`, section `web.search`, and WEB_SEARCH_API_KEY. */
export interface SearchOptions {
  provider: 'searxng' | 'brave' | 'tavily' | 'jina'
  /** The address of its API, if it isn't the provider's own. It may be in a private network. */
  url?: string | undefined
  key?: string | undefined
  timeoutMs: number
}

/** A provider with everything it needs. */
export interface Searcher {
  name: SearchOptions['provider']
  provider: Provider
  url: URL
  key: string | undefined
  timeoutMs: number
}

/** Throws `bad_setting`. No message contains the key. */
export function searcherOf({ provider: name, url, key, timeoutMs }: SearchOptions): Searcher {
  const provider = providers[name]
  const given = url ?? provider.url
  const endpoint = given === undefined ? null : URL.parse(given)
  if (endpoint === null || !['http:', 'https:'].includes(endpoint.protocol))
    throw badSetting(`The web search by ${name} has no address`, 'Set `web.search.url` in config/bobbin.yaml')
  if (endpoint.username !== '' || endpoint.password !== '' || endpoint.search !== '')
    throw badSetting('The address of the web search holds more than an address', 'Put the key into WEB_SEARCH_API_KEY')
  if (key === undefined && provider.needsKey)
    throw badSetting(`The web search by ${name} needs a key`, 'Put it into WEB_SEARCH_API_KEY')
  if (key !== undefined && !/^[\x21-\x7e]{1,500}$/.test(key))
    throw badSetting('WEB_SEARCH_API_KEY isn’t a valid key', 'Copy it again, without spaces and line ends')
  return { name, provider, url: endpoint, key, timeoutMs }
}

const badSetting = (what: string, remedy: string) => new Failure('bad_setting', `${what}.`, `${remedy}.`)
