import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

export interface Option {
  value: string
  label: string
  /** A second, quieter line. */
  hint?: string
  disabled?: boolean
}

/** The source of options: a list, or a search by the caller. */
export interface OptionSource {
  options?: readonly Option[]
  load?: (query: string) => Promise<readonly Option[]>
}

const LOAD_AFTER_MS = 200
/** Further options are not shown; typing narrows them down. */
const MAX_SHOWN = 100

/** The options that match a text, and whether more are loading. */
export function useOptions({ options, load }: OptionSource, query: string, open: boolean) {
  const [loaded, setLoaded] = useState<readonly Option[]>([])
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  const turn = useRef(0)
  useEffect(() => {
    if (!load || !open) return
    const mine = ++turn.current
    setLoading(true)
    const timer = setTimeout(
      async () => {
        try {
          const found = await load(query)
          if (turn.current === mine) setLoaded(found)
          if (turn.current === mine) setFailed(false)
        } catch {
          if (turn.current === mine) setFailed(true)
        }
        if (turn.current === mine) setLoading(false)
      },
      query === '' ? 0 : LOAD_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [load, query, open])
  const matching = useMemo(() => {
    if (!options) return loaded
    const wanted = folded(query)
    return options.filter((option) => folded(`${option.label} ${option.hint ?? ''}`).includes(wanted))
  }, [options, loaded, query])
  return { matching: matching.slice(0, MAX_SHOWN), total: matching.length, loading, failed }
}

/** In lower case and without accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}
