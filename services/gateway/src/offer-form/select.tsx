import SelectWidget from '@rjsf/core/lib/components/widgets/SelectWidget.js'
import type { WidgetProps } from '@rjsf/utils'

/** One of several is selected, several are ticked. */
export function Select(props: WidgetProps) {
  const { CheckboxesWidget } = props.registry.widgets
  return props.multiple && CheckboxesWidget ? <CheckboxesWidget {...props} /> : <SelectWidget {...props} />
}
