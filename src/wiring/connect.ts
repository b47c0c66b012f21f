import type { Config } from '../config/config.ts'
import type { ChatPlatform, PlatformDeps } from '../platforms/platform.ts'

/** The configured platforms. The others aren't even loaded, because that costs memory and start-up time. */
export async function connectPlatforms({ slack, discord }: Config, deps: PlatformDeps): Promise<ChatPlatform[]> {
  const platforms: ChatPlatform[] = []
  if (slack !== undefined) {
    const { slackPlatform } = await import('../platforms/slack/slack.ts')
    platforms.push(slackPlatform(slack, deps))
  }
  if (discord !== undefined) {
    const { discordPlatform } = await import('../platforms/discord/discord.ts')
    platforms.push(discordPlatform(discord, deps))
  }
  return platforms
}
