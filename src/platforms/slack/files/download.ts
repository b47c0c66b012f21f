import type { RemoteFile } from '../../../domain/chat.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { exactSize } from '../../exact-size.ts'
import { ElsewhereError, fetchFile, isServerBusy } from '../../fetch-file.ts'
import { NotPosted } from '../../platform.ts'
import type { SlackApi } from '../api/api.ts'
import { isPassing, reasonIn } from '../api/errors.ts'
import { slackWords } from '../words/words.ts'

export interface DownloadDeps {
  api: SlackApi
  apiUrl: string | undefined
}

const failed = (file: RemoteFile, why: string, remedy: string, cause?: unknown) =>
  new Failure('download_failed', slackWords.notFetched({ name: file.name, why }), remedy, { cause })

/** The file is still there, so it is asked for again. */
const later = (file: RemoteFile, why: string, cause?: unknown, remedy?: string) =>
  new NotPosted('later', slackWords.notFetched({ name: file.name, why }), { cause, afterMs: 5_000, remedy })

/** Slack shows a login page to anyone who may not have the file. */
const notAllowed = (file: RemoteFile) => failed(file, slackWords.loginPageCame(), slackWords.loginPageRemedy())

const isHtml = (name: string): boolean => /\.(x?html?|htm)$/i.test(name)

/** Where the token may be sent: to Slack, and to the server that stands in for it. */
function isSlack(url: URL, apiUrl: string | undefined): boolean {
  if (apiUrl !== undefined && url.host === new URL(apiUrl).host) return true
  return url.protocol === 'https:' && (url.hostname === 'slack.com' || url.hostname.endsWith('.slack.com'))
}

/**
 * The bytes of a file that somebody uploaded. Throws Failure if it can't be downloaded, and NotPosted with "later" if
 * another try may work; so does the stream.
 */
export async function download(deps: DownloadDeps, file: RemoteFile): Promise<ReadableStream<Uint8Array>> {
  const [id = '', known] = file.id.split(' ')
  const url = known ?? (await askFor(deps, file, id))
  const response = await follow(deps, file, url)
  if (response.headers.get('content-type')?.startsWith('text/html') && !isHtml(file.name)) {
    await response.body?.cancel()
    throw notAllowed(file)
  }
  if (response.body === null) throw failed(file, slackWords.nothingCame(), slackWords.uploadAgainRemedy())
  const { size: bytes } = file
  const again = slackWords.uploadAgainRemedy()
  return exactSize(response.body, bytes, {
    more: () => (isHtml(file.name) ? notAllowed(file) : failed(file, slackWords.moreBytes({ bytes }), again)),
    less: (seen) =>
      isHtml(file.name) ? notAllowed(file) : later(file, slackWords.fewerBytes({ seen, bytes }), undefined, again),
    broken: (cause) => later(file, slackWords.brokeOff(), cause),
  })
}

/** Slack Connect: the file's location has to be asked for. */
async function askFor({ api }: DownloadDeps, file: RemoteFile, id: string): Promise<string> {
  try {
    const { file: found } = await api.read((client) => client.files.info({ file: id }))
    const url = found?.url_private_download ?? found?.url_private
    if (url !== undefined) return url
  } catch (thrown) {
    if (isPassing(thrown)) throw later(file, reasonIn(thrown), thrown)
    throw failed(file, reasonIn(thrown), slackWords.uploadOrShareRemedy(), thrown)
  }
  throw failed(file, slackWords.noAddressGiven(), slackWords.uploadAgainRemedy())
}

async function follow({ api, apiUrl }: DownloadDeps, file: RemoteFile, address: string): Promise<Response> {
  const allows = (url: URL) => isSlack(url, apiUrl)
  const headers = { authorization: `Bearer ${api.botToken}` }
  const response = await fetchFile(address, { allows, headers }).catch((thrown: unknown) => {
    if (thrown instanceof ElsewhereError)
      throw failed(file, slackWords.isElsewhere({ host: thrown.host }), slackWords.fileElsewhereRemedy())
    throw later(file, reasonOf(thrown), thrown)
  })
  if (response.ok) return response
  await response.body?.cancel()
  if (isServerBusy(response)) throw later(file, slackWords.slackAnswered({ status: response.status }))
  throw refusal(file, response.status)
}

function refusal(file: RemoteFile, status: number): Failure {
  if (status === 401 || status === 403) return notAllowed(file)
  if (status === 404 || status === 410) return failed(file, slackWords.fileGone(), slackWords.uploadAgainRemedy())
  return failed(file, slackWords.slackAnswered({ status }), slackWords.uploadAgainRemedy())
}
