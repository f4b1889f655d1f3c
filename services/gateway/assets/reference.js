// The reference: Swagger UI without requests to other sites, and without storing what is entered.
/* global SwaggerUIBundle */
const element = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColours)
followColours()

// Descriptions become markup that the bundle's DOMPurify has cleaned. This policy creates neither scripts nor their
// addresses.
globalThis.trustedTypes?.createPolicy('default', { createHTML: html => html })

SwaggerUIBundle({
  url: element.dataset.document,
  domNode: element,
  layout: 'InPage',
  plugins: [inPage],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  // The only theme whose colours all have enough contrast.
  syntaxHighlight: { theme: 'tomorrow-night' },
  requestInterceptor: request => {
    // The document names the public address, but the page's policy allows only the address that the page came from.
    const { pathname, search } = new URL(request.url, location.href)
    // The cookie of the signed-in person is for the pages, not for the API.
    return Object.assign(request, { url: location.origin + pathname + search, credentials: 'omit' })
  },
})

/** The parts of the library's layout without its `main` and headline, which the page has itself. */
function inPage({ React: { Children, cloneElement, createElement } }) {
  const InPage = ({ getComponent, specSelectors }) => {
    const part = (name, connected) => createElement(getComponent(name, connected), { key: name })
    const loaded = specSelectors.loadingStatus() === 'success'
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      part('errors', true),
      loaded && [
        part('InfoContainer', true),
        part('AuthorizeBtnContainer', true),
        createElement('h2', { key: 'title' }, 'Operations'),
        part('operations', true),
        part('Models', true),
      ],
    )
  }
  // A link inside the button that opens an operation is of no use; opening puts its link into the address.
  const DeepLink = ({ text }) => createElement('span', null, text)
  // The library gives its choice of examples no accessible name.
  const nameChoice = part =>
    part?.type === 'select' ? cloneElement(part, { 'aria-label': 'Example' }) : part
  const ExamplesSelect = Original =>
    class extends Original {
      render() {
        const whole = super.render()
        return cloneElement(whole, {}, Children.map(whole.props.children, nameChoice))
      }
    }
  return { components: { InPage, DeepLink }, wrapComponents: { ExamplesSelect } }
}
