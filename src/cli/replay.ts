import { entriesOf } from '../setting-kinds.ts'
import { systemClock } from '../clock.ts'
import { factsFolder } from '../instance.ts'
import { settledText, settleRestored } from '../newsletter/restore/settle.ts'
import { recordReplayed } from '../newsletter/restore/use.ts'
import { command, UsageError } from './command.ts'
import { type Opened, withStore } from './open.ts'

/** With it a person answers for facts that cannot be shown to be complete. */
export const FACTS_ARE_COMPLETE = {
  help: 'Go on although the facts may end too early: nothing was sent and nobody left after their last line.',
}

export const factsReplay = command({
  name: 'facts replay',
  summary: 'Replay facts after a libSQL server was restored by its own tools. Stop all processes first.',
  flags: {
    since: { takes: 'TIME', required: true, help: 'The time of the backup, such as 2026-11-22T09:00:00Z.' },
    'facts-are-complete': FACTS_ARE_COMPLETE,
    folders: { takes: 'LIST', help: 'Folders of facts of all processes, separated by commas. Default: facts/ in DIR.' },
  },
  run({ flags, settings }) {
    const since = Date.parse(flags.since)
    if (Number.isNaN(since)) throw new UsageError('--since expects a time such as 2026-11-22T09:00:00Z.')
    const replay = async ({ loop_store, config }: Opened) => {
      const folders = flags.folders ? entriesOf(flags.folders) : [factsFolder(config)]
      const now = systemClock.now()
      const taken_as_complete = flags['facts-are-complete']
      const settled = await settleRestored(loop_store, { folders, since, now, taken_as_complete })
      await recordReplayed(loop_store, folders, now)
      return { text: settledText(settled).join('\n'), data: settled }
    }
    return withStore(settings, replay, { before_start: true })
  },
})
