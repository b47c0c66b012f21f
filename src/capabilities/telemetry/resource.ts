import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'

/** Who sends the data. `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` add to this. */
export function resourceOf({ version, node }: { version: string; node: string | undefined }): Resource {
  const own = { 'service.name': 'bobbin', 'service.version': version, ...(node && { 'service.instance.id': node }) }
  return resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }))
}
