/** What Discord makes a mention of, within words too. https://discord.com/developers/docs/reference#message-formatting */
export const discordPings: readonly RegExp[] = [/@(?:everyone|here)/, /<@[!&]?\d/]
