import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about models that fail. */
export const modelWords = catalogue({
  // ask
  modelTookLongerThan: 'The model took longer than {ms} s with all attempts.',

  // assemble
  modelsReplyBrokeOff: 'The model’s reply broke off.',
  modelReturnedEmptyAnswer: 'The model returned an empty answer.',

  // chunks
  modelEndpointSentSomething: 'The model endpoint sent something that isn’t a chat completion chunk.',

  // embedding
  embeddingModelAnsweredCheck:
    'The embedding model {id} at {host} answered with {what}: check {idSetting} and {urlSetting}.',

  // failures
  modelEndpointNeedsKey: 'The model endpoint {host} needs a key: set {keySetting}.',
  modelEndpointRefusedKey: 'The model endpoint refused the key: check {keySetting}.',
  accountOutCreditTop: 'The account at {host} is out of credit: top it up, or change {keySetting}.',
  keyMayNotUse: 'The key may not use {id} at {host}: check its rights, {keySetting} and {idSetting}. ({words})',
  noModelCheck: 'There is no model {id} at {host}: check {idSetting} and {urlSetting}. ({words})',
  modelEndpointRefusedRequest:
    'The model endpoint refused the request ({status}): {words} Check {idSetting} and its limits in config/models.yaml.',
  modelEndpointRateLimiting: 'The model endpoint {host} is rate-limiting us.',
  modelEndpointFailed: 'The model endpoint {host} failed: {words}',
  modelsReplyBrokeOff2: 'The model’s reply broke off: {reason}',
  modelEndpointSentNoStream:
    'The model endpoint {host} sent a page or a document instead of a stream: check {urlSetting}. Most addresses end in /v1.',
  modelEndpointCantReached:
    'The model endpoint {host} can’t be reached ({reason}): check {urlSetting} and the network.',

  // read reply
  modelDoesntStop: 'The model doesn’t stop {what}.',
  modelEndpointFailedWhile: 'The model endpoint failed while it answered.',

  // watch
  modelTookLongerThan2: 'The model took longer than {totalTimeoutMs}.',
  modelSentNothing: 'The model sent nothing for {idleTimeoutMs}.',
  modelDoesntStopTalking: 'The model’s answer doesn’t come to an end.',
})
