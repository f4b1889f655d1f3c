// The reference: Swagger UI with nothing that leaves this site, and no memory of what is pasted.
/* global SwaggerUIBundle */
const element = document.getElementById('reference')
const dark = matchMedia('(prefers-color-scheme: dark)')
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColours)
followColours()

// Descriptions reach the page as markup, cleaned by the DOMPurify of the bundle. Scripts and their addresses have no
// such way: this policy makes neither.
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
  // The one whose colours are all told from its ground.
  syntaxHighlight: { theme: 'tomorrow-night' },
  requestInterceptor: request => {
    // The document names the public address. Requests go to the one that the page came from, which its policy allows.
    const { pathname, search } = new URL(request.url, location.href)
    // The cookie of who is signed in to the pages is none of the API's, and stays at home.
    return Object.assign(request, { url: location.origin + pathname + search, credentials: 'omit' })
  },
})

/** The parts of the library's layout, without its `main` and its headline: the page has both. */
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
  // A link inside the button that opens an operation is for nobody; to open it puts its link into the address.
  const DeepLink = ({ text }) => createElement('span', null, text)
  // The library gives its choice of examples no name that is read out.
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
