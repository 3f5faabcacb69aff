import { useState } from 'preact/hooks'

interface DropZoneProps {
  label: string
  hint: string
  /** Media types and file extensions, as in the attribute `accept` of an input. */
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => Promise<void> | void
}

/** An area where files are chosen or dropped. The same file can be chosen again afterwards. */
export function DropZone({ label, hint, accept, multiple, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const take = async (files: FileList | null | undefined) => {
    if (files && files.length > 0) await onFiles([...files])
  }
  return (
    <label
      class="drop"
      data-over={isOver ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer?.files)
      }}
    >
      <strong>{label}</strong>
      <span class="quiet">{hint}</span>
      <input
        type="file"
        multiple={multiple}
        accept={accept}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files).then(() => (currentTarget.value = ''))
        }}
      />
    </label>
  )
}
