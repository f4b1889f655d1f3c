import SelectWidget from '@rjsf/core/lib/components/widgets/SelectWidget.js'
import type { WidgetProps } from '@rjsf/utils'

export function Select(props: WidgetProps) {
  const { CheckboxesWidget } = props.registry.widgets
  if (props.multiple && CheckboxesWidget) return <CheckboxesWidget {...props} />
  return <SelectWidget {...props} placeholder="Choose one" />
}
