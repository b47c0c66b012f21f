import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about models that fail. */
export const modelWords = catalogue({
  // ask
  attemptsTooLong: 'The model took longer than {ms} s with all attempts.',

  // assemble
  replyCut: 'The model’s reply broke off.',
  emptyReply: 'The model returned an empty answer.',

  // chunks
  unreadableChunk: 'The model endpoint sent something that isn’t a chat completion chunk.',

  // embedding
  embeddingUnfit: 'The embedding model {id} at {host} answered with {what}: check {idSetting} and {urlSetting}.',

  // failures
  keyMissing: 'The model endpoint {host} needs a key: set {keySetting}.',
  keyRefused: 'The model endpoint refused the key: check {keySetting}.',
  creditUsedUp: 'The account at {host} is out of credit: top it up, or change {keySetting}.',
  modelForbidden: 'The key may not use {id} at {host}: check its rights, {keySetting} and {idSetting}. ({words})',
  unknownModel: 'There is no model {id} at {host}: check {idSetting} and {urlSetting}. ({words})',
  requestRefused:
    'The model endpoint refused the request ({status}): {words} Check {idSetting} and its limits in config/models.yaml.',
  toolsRefused:
    'The model {id} at {host} takes no tools, and Bobbin needs them: choose another model in {idSetting}, or turn tools on where it runs (vLLM: --enable-auto-tool-choice and --tool-call-parser; llama.cpp: --jinja). ({words})',
  promptFiltered: 'The content filter of the model endpoint {host} refused the prompt: {words}',
  rateLimited: 'The model endpoint {host} is rate-limiting us.',
  endpointFailing: 'The model endpoint {host} failed: {words}',
  replyCutBecause: 'The model’s reply broke off: {reason}',
  noStreamCame:
    'The model endpoint {host} sent a page or a document instead of a stream: check {urlSetting}. Most addresses end in /v1.',
  endpointUnreachable: 'The model endpoint {host} can’t be reached ({reason}): check {urlSetting} and the network.',

  // read reply
  endlessReply: 'The model doesn’t stop {what}.',
  failedMidReply: 'The model endpoint failed while it answered.',

  // watch
  replyTooSlow: 'The model took longer than {totalTimeoutMs}.',
  modelSilent: 'The model sent nothing for {silentFor}.',
  endlessText: 'The model’s answer doesn’t come to an end.',
})
