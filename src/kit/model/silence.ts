/** What the model answers if nothing is wanted of it. */
const silence = '[silent]'

export const saysNothing = (text: string): boolean => ['', silence].includes(text.trim().toLowerCase())

/** Whether what has come so far may be the beginning of it. */
export const mayBecomeSilence = (text: string): boolean => silence.startsWith(text.trim().toLowerCase())

/** How the model later reads it among its own words: some providers accept no empty ones. */
export const silenceKept = silence

export const silenceReminder = `Nobody mentioned you in this message; people may be talking to each other. If nobody needs anything from you, answer with ${silence} and nothing else, and nothing is posted.`
