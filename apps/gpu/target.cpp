#include "gpu/target.hpp"

namespace gpu {

Target::Target(Gpu& gpu, VkExtent2D extent, VkImageUsageFlags usage)
    : gpu_(gpu), picture_(gpu.create_image(extent, format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | usage)) {
  VkAttachmentDescription attachment{};
  attachment.format = format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo pass{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass.attachmentCount = 1;
  pass.pAttachments = &attachment;
  pass.subpassCount = 1;
  pass.pSubpasses = &subpass;
  require(vkCreateRenderPass(gpu.device, &pass, nullptr, &render_pass_), "vkCreateRenderPass");
  VkFramebufferCreateInfo frame{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame.renderPass = render_pass_;
  frame.attachmentCount = 1;
  frame.pAttachments = &picture_.view;
  frame.width = extent.width;
  frame.height = extent.height;
  frame.layers = 1;
  require(vkCreateFramebuffer(gpu.device, &frame, nullptr, &framebuffer_), "vkCreateFramebuffer");
}

Target::~Target() {
  vkDestroyFramebuffer(gpu_.device, framebuffer_, nullptr);
  vkDestroyRenderPass(gpu_.device, render_pass_, nullptr);
  gpu_.destroy(picture_);
}

void Target::begin(VkCommandBuffer commands, VkClearColorValue background) const {
  VkClearValue clear;
  clear.color = background;
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = render_pass_;
  info.framebuffer = framebuffer_;
  info.renderArea = {{0, 0}, extent()};
  info.clearValueCount = 1;
  info.pClearValues = &clear;
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport{0, 0, static_cast<float>(extent().width), static_cast<float>(extent().height), 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &info.renderArea);
}

void Target::transition(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const {
  gpu::transition(commands, picture_.handle, from, to);
}

VkPipeline create_graphics_pipeline(Gpu& gpu, VkRenderPass render_pass, VkPipelineLayout layout, Spirv vertex,
                                    Spirv fragment, VkPrimitiveTopology topology) {
  VkPipelineShaderStageCreateInfo stages[2]{};
  for (VkPipelineShaderStageCreateInfo& stage : stages) {
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.pName = "main";
  }
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
  stages[0].module = gpu.create_shader(vertex.data(), vertex.size_bytes());
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  stages[1].module = gpu.create_shader(fragment.data(), fragment.size_bytes());
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = topology;
  VkPipelineViewportStateCreateInfo view{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  view.viewportCount = view.scissorCount = 1;
  const VkDynamicState changing[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = changing;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState blending{};
  blending.blendEnable = VK_TRUE;
  blending.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  blending.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  blending.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  blending.colorWriteMask = 0xF;
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &blending;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &view;
  info.pDynamicState = &dynamic;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blend;
  info.layout = layout;
  info.renderPass = render_pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  require(vkCreateGraphicsPipelines(gpu.device, gpu.pipeline_cache, 1, &info, nullptr, &pipeline),
          "vkCreateGraphicsPipelines");
  return gpu.keep(pipeline);
}

}  // namespace gpu
