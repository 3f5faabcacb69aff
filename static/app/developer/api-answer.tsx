import { useState } from 'preact/hooks'
import { curl, fetchCode, python, type SnippetCall, typescript } from '../../../src/shared/snippets.ts'
import { store, stored } from '../api/stored.ts'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { number } from '../ui/format.ts'
import { Progress } from '../ui/progress.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { Tried } from './try-call.ts'

/** The response of a call that was tried. */
export function Answer({ tried: { status, ms, rate, headers, text } }: { tried: Tried }) {
  return (
    <Card title="Answer">
      <div class="stack" role="status">
        <p class="row">
          <StatusBadge tone={status < 300 ? 'good' : status < 500 ? 'wait' : 'bad'}>{status}</StatusBadge>
          <span class="quiet">{number(ms)} ms</span>
        </p>
        {rate && (
          <Progress
            label="Calls left in this minute"
            value={rate.left}
            max={rate.of}
            note={<span class="number quiet">{`${number(rate.left)} of ${number(rate.of)}`}</span>}
          />
        )}
        <Code label="Body of the answer" text={text} wrap />
        <details>
          <summary>Headers</summary>
          <Code label="Headers of the answer" text={headers} wrap />
        </details>
      </div>
    </Card>
  )
}

const LANGUAGES = { curl, fetch: fetchCode, python, typescript } as const
type Language = keyof typeof LANGUAGES

/** Where the chosen language is kept, for the documentation as well (static/docs/docs.ts). */
const PLACE = 'masthead-language'

/** The same call in several languages. */
export function ForPrograms({ snippet }: { snippet: SnippetCall }) {
  const [kept, setKept] = useState(() => stored<string>(PLACE))
  const tabs = [
    { id: 'curl', label: 'curl' },
    { id: 'fetch', label: 'fetch' },
    { id: 'python', label: 'Python' },
    ...(snippet.typed ? [{ id: 'typescript', label: 'TypeScript' } as const] : []),
  ] as const
  const language = tabs.find(({ id }) => id === kept)?.id ?? 'curl'
  const choose = (chosen: Language) => {
    store(PLACE, chosen)
    setKept(chosen)
  }
  return (
    <Card title="The same call for programs">
      <Tabs<Language> label="Language" tabs={tabs} value={language} onChange={choose}>
        <Code label={`Call by ${language}`} text={LANGUAGES[language](snippet) ?? ''} wrap />
      </Tabs>
    </Card>
  )
}
