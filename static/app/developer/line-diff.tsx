import { diffLines } from 'diff'

/** Two texts line by line: what is gone and what is new. A sign says what a color says. */
export function LineDiff({ before, after, label }: { before: string; after: string; label: string }) {
  if (before === after) return <p class="quiet">{after === '' ? 'Nothing.' : 'Unchanged.'}</p>
  const parts = diffLines(before, after)
  return (
    <pre class="diff" tabIndex={0} aria-label={label}>
      {parts.map(({ value, added, removed }, index) => {
        const kind = added ? 'added' : removed ? 'removed' : 'same'
        return value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, at) => (
            <span key={`${index} ${at}`} class={`diff-${kind}`}>
              {added ? '+ ' : removed ? '− ' : '  '}
              {line}
              {'\n'}
            </span>
          ))
      })}
    </pre>
  )
}
