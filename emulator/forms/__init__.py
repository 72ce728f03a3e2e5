"""What both protocols of form posts share: reading nested fields, and the stages that every post passes."""
