/** The text of a cell. What could not be read (U+FFFD) is marked. */
export function Cell({ text }: { text: string }) {
  const parts = text.split('\uFFFD')
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index > 0 && (
            <mark class="import-unread" title="A character that could not be read">
              {'\uFFFD'}
            </mark>
          )}
          {part}
        </>
      ))}
    </>
  )
}
