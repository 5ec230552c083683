#include "images/images_tab.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "format.hpp"
#include "shell/backends.hpp"
#include "shell/comparison.hpp"
#include "shell/notices.hpp"
#include "shell/worker.hpp"

namespace demo {
namespace {

namespace images = proxel::images;

constexpr const char* picture_job = "images.picture";
constexpr const char* rank_job = "images.rank";
constexpr const char* others_job = "images.others";
constexpr const char* compare_job = "images.compare";
constexpr std::uint32_t large_side = 1024, least_thumbnail = 16;

}  // namespace

std::unique_ptr<Tab> make_images_tab() { return std::make_unique<ImagesTab>(); }

std::string ImagesTab::file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

void ImagesTab::open(Context& context) {
  if (!collection_ && !folder_.empty() && !std::filesystem::exists(folder_)) {
    context.notices.show("images.kept", folder_ + " is not there any more; the bundled pictures are shown instead");
    folder_.clear();
  }
  load(context, {folder_.empty() ? (context.data / "pictures").string() : folder_});
}

bool ImagesTab::drop(Context& context, std::span<const std::string> paths) {
  load(context, {paths.begin(), paths.end()});
  return true;
}

std::vector<std::pair<std::string, std::string>> ImagesTab::keys() const {
  return {{"Arrows, Space", "go through the wall, and choose"}, {"Escape", "back to the order of the folder"}};
}

void ImagesTab::load(Context& context, std::vector<std::string> paths) {
  // Several files that were dropped are not kept from run to run.
  const std::string kept =
      paths.size() == 1 && paths.front() != (context.data / "pictures").string() ? paths.front() : "";
  const auto read = [this, &context, kept, paths = std::move(paths)](Progress& progress) -> Worker::Ending {
    auto collection = std::make_shared<Collection>(
        read_collection(paths, std::max(1u, std::thread::hardware_concurrency()), progress.callback()));
    if (collection->size() == 0)
      throw proxel::Error(collection->failures.empty() ? proxel::ErrorCode::not_found : proxel::ErrorCode::unsupported,
                          paths.front(),
                          collection->failures.empty() ? "no JPEG or PNG file is there"
                                                       : "cannot be read: " + collection->failures.front().reason);
    return [this, &context, kept, collection] {
      folder_ = kept_ = kept;
      discs_.clear();
      search_ = std::make_shared<SimilaritySearch>(collection);
      feature_search_ = std::make_shared<FeatureSearch>(collection);
      collection_ = collection.get();
      std::uint32_t side = least_thumbnail;
      for (const images::Image& one : collection->thumbnails) side = std::max({side, one.width, one.height});
      thumbnails_.reset(context.pictures, side);
      choose(context, std::nullopt);
    };
  };
  context.worker.run(load_job, "Reading images", read);
}

void ImagesTab::choose(Context& context, std::optional<std::uint32_t> image) {
  chosen_ = image;
  if (image) {
    rank(context);
    show_picture(context);
    return;
  }
  for (const char* job : {rank_job, others_job, compare_job}) context.worker.cancel(job);
  context.pictures.release(large_);
  badge_.reset();
  ranking_.reset();
  photos_.reset();
  std::vector<std::uint32_t> order(collection_->size());
  std::iota(order.begin(), order.end(), 0u);
  wall_.arrange(std::move(order), !context.reduce_motion);
  to_top_ = true;
}

void ImagesTab::rank(Context& context) {
  context.worker.cancel(others_job);
  context.worker.cancel(compare_job);
  badge_.reset();
  wanted_.device = context.backends.chosen();
  photos_.reset();
  if (way_ != PhotoWay::signature) {
    rank_by_features(context);
    return;
  }
  const auto find = [this, &context, &backends = context.backends, search = search_, wanted = wanted_,
                     query = *chosen_](Progress&) -> Worker::Ending {
    const proxel::Neighbors answer = search->search(backends.device(wanted.device), wanted, query, true);
    return [this, &context, search, wanted, query, answer] {
      if (search != search_) return;  // there is another collection now
      report_ = answer.report;
      ranking_ = ranking_of(answer, collection_->size());
      wall_.arrange(ranking_->order, !context.reduce_motion);
      plot_.add(wanted.device, answer.report.times.compute_milliseconds);
      if (ranking_->distances.size() < collection_->size()) rank_others(context);
      compare_backends(context, compare_job, badge_,
                       {wanted.device, answer, [search, wanted, query](proxel::Device& device, Progress&) {
        return search->search(device, wanted, query, false);
      }});
    };
  };
  context.worker.run(rank_job, "Comparing signatures", find);
}

// The first time it reads the local features of all pictures.
void ImagesTab::rank_by_features(Context& context) {
  const auto find = [this, &context, &backends = context.backends, search = feature_search_, wanted = wanted_,
                     way = way_, query = *chosen_](Progress& progress) -> Worker::Ending {
    return [this, &context, search, way, query,
            found = search->search(backends.device(wanted.device), wanted, way, query, progress.callback())] {
      if (search != feature_search_ || way != way_ || chosen_ != query) return;  // something else is wanted now
      photos_ = found;
      ranking_ = found.ranking;
      matched_ = photos_->lines.size();
      show_next_matched();
      wall_.arrange(ranking_->order, !context.reduce_motion);
    };
  };
  context.worker.run(rank_job, "Comparing local features", find);
}

// The picture itself is found as well, and passed over.
void ImagesTab::show_next_matched() {
  const std::size_t count = photos_->lines.size();
  for (std::size_t tried = 0; tried < count; ++tried) {
    matched_ = matched_ + 1 < count ? matched_ + 1 : 0;
    if (photos_->found[matched_].number != chosen_) return;
  }
  matched_ = count;
}

// Those behind the nearest: their distances take longer, and they are farther down.
void ImagesTab::rank_others(Context& context) {
  const auto find = [this, &context, &backends = context.backends, search = search_, wanted = wanted_,
                     query = *chosen_](Progress&) -> Worker::Ending {
    return [this, &context, search, ranking = search->all(backends.device(wanted.device), wanted, query)] {
      if (search != search_) return;  // there is another collection now
      ranking_ = ranking;
      wall_.arrange(ranking_->order, !context.reduce_motion);
    };
  };
  context.worker.run(others_job, "Comparing the other signatures", find);
}

// The picture as it lies in the folder, beside the wall.
void ImagesTab::show_picture(Context& context) {
  discs_ = discs_of(collection_->signatures, *chosen_);
  const auto read = [this, &context, path = collection_->paths[*chosen_]](Progress&) -> Worker::Ending {
    const images::Image image = images::reduced(images::read_image(path), large_side);
    return [this, &context, image] {
      context.pictures.release(large_);
      large_ = context.pictures.load(image);
    };
  };
  context.worker.run(picture_job, "Reading the picture", read);
}

void ImagesTab::restore(const nlohmann::json& settings) {
  folder_ = kept_ = settings.value("folder", folder_);
  signatures_shown_ = settings.value("signature", signatures_shown_);
  wanted_.similarity.alpha = std::clamp(settings.value("alpha", wanted_.similarity.alpha), least_alpha, most_alpha);
  wanted_.similarity.kind = proxel::similarity_from_string(settings.value("similarity", "gaussian"));
  wanted_.method = similarity_method_from_string(settings.value("method", "auto"));
  if (images::local_features_supported()) way_ = proxel::tool::photo_way_from_string(settings.value("by", "signature"));
}

nlohmann::json ImagesTab::settings() const {
  return {{"folder", kept_},
          {"signature", signatures_shown_},
          {"alpha", wanted_.similarity.alpha},
          {"similarity", to_string(wanted_.similarity.kind)},
          {"method", to_string(wanted_.method)},
          {"by", to_string(way_)}};
}

std::string ImagesTab::answered_by() const {
  return fmt::format("{}{}", krulis_filter(wanted_.method) ? "krulis, " : "", report_.method);
}

nlohmann::json ImagesTab::report() const {
  nlohmann::json report = settings();
  report["badge"] = badge_.report();
  report["plot"] = plot_.report();
  report["moving"] = wall_.moving();
  if (!collection_) return report;
  report["images"] = collection_->size();
  report["failures"] = nlohmann::json::array();
  for (const images::ImageFailure& failure : collection_->failures)
    report["failures"].push_back({{"file", file_name(failure.path)}, {"reason", failure.reason}});
  if (chosen_) report["chosen"] = file_name(collection_->paths[*chosen_]);
  report["first"] = nlohmann::json::array();
  for (std::size_t place = 0; place < std::min<std::size_t>(8, wall_.order().size()); ++place)
    report["first"].push_back(file_name(collection_->paths[wall_.order()[place]]));
  if (photos_) {
    report["found"] = nlohmann::json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(8, photos_->found.size()); ++i)
      report["found"].push_back({{"file", file_name(collection_->paths[photos_->found[i].number])},
                                 {"inliers", photos_->found[i].inliers},
                                 {"lines", photos_->lines[i].size()}});
    report["matched"] = matched_;
  }
  if (ranking_) report["ranked"] = ranking_->distances.size();
  if (ranking_) report["answered_by"] = answered_by();
  return report;
}

}  // namespace demo
